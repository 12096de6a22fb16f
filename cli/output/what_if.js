/* What if: the formulas of the page computed again with other numbers. The first part evaluates the flat program that
   model/formula/evaluate.c and sum.c evaluate, the second one looks for N as model/solve does, and the third one shows. */
"use strict";

/* Sums beyond this many terms at one point are given up: their value is NaN. */
const whatIfTermsMost = 400000;

function whatIfProgram(program) {
  const divided = x => { /* grids of processes: model/base/process_grid.c */
    const side = (p, dimensions) => {
      if (!(p > 1)) return 1;
      const root = dimensions === 2 ? Math.sqrt(p) : Math.cbrt(p);
      if (p > 1e12 || p !== Math.floor(p)) return root;
      let s = Math.floor(root + 1e-9 * root);
      while (s > 1 && (p % s !== 0 || (dimensions > 2 && side(p / s, dimensions - 1) < s))) s--;
      return Math.max(s, 1);
    };
    return side(x, 2);
  };
  const layers = p => {
    if (!(p > 1)) return 1;
    const root = Math.cbrt(p);
    if (p > 1e12 || p !== Math.floor(p)) return root;
    let s = Math.floor(root + 1e-9 * root);
    while (s > 1 && (p % s !== 0 || divided(p / s) < s)) s--;
    return Math.max(s, 1);
  };
  const divisor = (p, x) => {
    if (!(p > 1)) return 1;
    let most = x < p ? Math.max(x, 1) : p;
    if (p > 1e12 || p !== Math.floor(p)) return most;
    most = Math.floor(most + 1e-9 * most);
    const root = Math.floor(Math.sqrt(p));
    for (let small = Math.ceil(p / most - 1e-9); most > root && small <= root; small++)
      if (p % small === 0 && p / small <= most) return p / small;
    let d = Math.min(most, root);
    while (d > 1 && p % d !== 0) d--;
    return d;
  };
  const volume = p => { /* model/base/binomial.c */
    if (!(p > 1) || p === Infinity) return p > 1 ? p : 0;
    let before = 0, most = 0;
    while (p > 1) {
      const children = Math.ceil(Math.log2(p));
      before += children;
      most = Math.max(most, before + (children > 1 ? (children - 2) * (children - 1) / 2 : 0));
      p = Math.ceil(p) - 2 ** (children - 1);
    }
    return most;
  };
  const round = x => { const t = Math.trunc(x); return Math.abs(x - t) >= 0.5 ? t + Math.sign(x) : t; };
  const smooth = ["NEGATE", "ADD", "SUBTRACT", "MULTIPLY", "DIVIDE", "POWER", "SQRT", "CBRT", "EXP", "LOG", "LOG2", "LOG10"];
  const point = {
    NEGATE: a => -a, ADD: (a, b) => a + b, SUBTRACT: (a, b) => a - b, MULTIPLY: (a, b) => a * b, DIVIDE: (a, b) => a / b,
    POWER: Math.pow, SQRT: Math.sqrt, CBRT: Math.cbrt, EXP: Math.exp, LOG: Math.log, LOG2: Math.log2, LOG10: Math.log10,
    LESS: (a, b) => a < b ? 1 : 0, LESS_EQUAL: (a, b) => a <= b ? 1 : 0, GREATER: (a, b) => a > b ? 1 : 0,
    GREATER_EQUAL: (a, b) => a >= b ? 1 : 0, EQUAL: (a, b) => a === b ? 1 : 0, NOT_EQUAL: (a, b) => a !== b ? 1 : 0,
    AND: (a, b) => a !== 0 && b !== 0 ? 1 : 0, OR: (a, b) => a !== 0 || b !== 0 ? 1 : 0, NOT: a => a !== 0 ? 0 : 1,
    SELECT: (a, b, c) => a !== 0 ? b : c, MIN: (a, b) => a < b ? a : b, MAX: (a, b) => a > b ? a : b, ABS: Math.abs,
    CEIL: Math.ceil, FLOOR: Math.floor, ROUND: round, BINOMIAL_VOLUME: volume, GRID_ROWS: divided, GRID_LAYERS: layers,
    DIVISOR: divisor };
  const blocks = program.blocks.map(b => {
    const code = [];
    for (let i = 0; i < b.code.length; i += 6) {
      const name = program.opcodes[b.code[i]];
      if (!(name in point) && !/^(SUM|SUM_CLASS|MAX_CLASS|MIN_CLASS)$/.test(name)) throw new Error("unknown instruction " + name);
      code.push({ name, f: point[name], r: b.code[i + 1], a: b.code[i + 2], b: b.code[i + 3], c: b.code[i + 4], block: b.code[i + 5] });
    }
    return { ...b, code, values: new Float64Array(Math.max(1, b.registers)) };
  });
  blocks.forEach(b => { b.smooth = b.code.every(i => smooth.includes(i.name)); });
  let classes, terms;

  function execute(block) {
    const v = block.values;
    for (const i of block.code)
      v[i.r] = i.f ? i.f(v[i.a], v[i.b], v[i.c]) : i.name === "SUM" ? sum(blocks[i.block], v, v[i.a], v[i.b]) : reduce(blocks[i.block], v, i.name);
  }
  function enter(block, outer) {
    const v = block.values;
    for (let i = 0; i < block.constants.length; i += 2) v[block.constants[i]] = block.constants[i + 1];
    for (let i = 0; i < block.imports.length; i += 2) v[block.imports[i]] = outer[block.imports[i + 1]];
  }
  function reduce(block, outer, name) {
    let total = name === "SUM_CLASS" ? 0 : NaN;
    enter(block, outer);
    for (let k = 0; k < classes[0].length; k++) {
      for (let i = 0; i < block.columns.length; i += 2) block.values[block.columns[i]] = classes[block.columns[i + 1]][k];
      execute(block);
      const t = block.values[block.result];
      if (name === "SUM_CLASS") total += t;
      else if (k === 0 || isNaN(t) || (name === "MAX_CLASS" ? t > total : t < total)) total = t;
    }
    return total;
  }
  /* Few terms, and terms with steps, one by one; else by panels on which they are polynomials (sum.c). */
  function sum(block, outer, from, to) {
    const span = to - from;
    if (!isFinite(span) || isNaN(from)) return NaN;
    const count = Math.floor(span) + 1, fraction = span - Math.floor(span);
    if (count < 0) return 0;
    let total = 0, rest = 0, magnitude = 0, spent = false;
    enter(block, outer);
    const term = index => {
      if (--terms < 0) { spent = true; return NaN; }
      block.values[0] = from + index;
      execute(block);
      return block.values[block.result];
    };
    const add = x => { /* compensated [Neumaier 1974] */
      const s = total + x;
      if (isFinite(s)) rest += Math.abs(total) >= Math.abs(x) ? (total - s) + x : (x - s) + total;
      total = s;
    };
    const direct = (begin, length) => { for (let k = 0; k < length && !spent; k++) add(term(begin + k)); };
    const panels = block.smooth ? [[0, count]] : [];
    if (!block.smooth) direct(0, count);
    while (panels.length > 0 && !spent) {
      const [begin, length] = panels.pop();
      if (length <= 48) { direct(begin, length); continue; }
      const fit = whatIfPanel(begin, length, term);
      magnitude = Math.max(magnitude, fit.smallest * length, Math.abs(total));
      if (fit.error <= 1e-13 * fit.largest || fit.error * length <= 1e-15 * magnitude || !isFinite(fit.sum)) add(fit.sum);
      else { const half = Math.floor(length / 2); panels.push([begin + half, length - half], [begin, half]); }
    }
    if (fraction > 0) add(fraction * term(count));
    return spent ? NaN : total + rest;
  }
  /* The outputs at inputs, one a column, and the rows of a class table. */
  function evaluate(inputs, table) {
    const b = blocks[0];
    classes = table;
    terms = whatIfTermsMost;
    enter(b, null);
    for (let i = 0; i < b.columns.length; i += 2) b.values[b.columns[i]] = inputs[b.columns[i + 1]];
    execute(b);
    return program.outputs.map(o => b.values[o]);
  }
  /* Whether some whole number of a quotient depends on column 0, N. */
  const moving = new Set(blocks[0].columns.filter((_, i) => i % 2 === 0 && blocks[0].columns[i + 1] === 0));
  const stairs = i => /^(CEIL|FLOOR|ROUND|DIVISOR|GRID|BINOMIAL|LESS|GREATER|EQUAL|NOT_EQUAL|SELECT)/.test(i.name);
  evaluate.steps = false;
  for (const i of blocks[0].code) {
    const inside = i.f ? null : blocks[i.block];
    const moves = moving.has(i.a) || moving.has(i.b) || moving.has(i.c) || (inside && inside.imports.some((x, k) => k % 2 === 1 && moving.has(x)));
    if (moves) moving.add(i.r);
    evaluate.steps = evaluate.steps || (moves && (stairs(i) || (inside !== null && inside.code.some(stairs))));
  }
  return evaluate;
}

/* A polynomial of degree 7 through terms of a panel, tested at others: its sum, and how far it is off. */
const whatIfPlaces = [0, 0.050, 0.188, 0.388, 0.612, 0.812, 0.950, 1, 0.0171, 0.1123, 0.2871, 0.3307, 0.49713, 0.5591, 0.7129, 0.8917, 0.9829];
function whatIfPanel(begin, length, term) {
  const u = [], terms = [];
  for (const place of whatIfPlaces) {
    const offset = Math.round(place * (length - 1));
    u.push((2 * offset + 1) / length - 1);
    terms.push(term(begin + offset));
  }
  const n = 8, difference = terms.slice(0, n), c = new Array(n).fill(0);
  for (let order = 1; order < n; order++)
    for (let j = n - 1; j >= order; j--) difference[j] = (difference[j] - difference[j - 1]) / (u[j] - u[j - order]);
  for (let j = n - 1; j >= 0; j--) {
    for (let k = n - 1; k > 0; k--) c[k] = c[k - 1] - u[j] * c[k];
    c[0] = difference[j] - u[j] * c[0];
  }
  let error = 0, largest = 0, smallest = Infinity;
  terms.forEach((t, j) => {
    const misfit = Math.abs(t - c.reduceRight((value, x) => value * u[j] + x, 0));
    if (!(misfit <= error)) error = misfit;
    largest = Math.max(largest, Math.abs(t));
    smallest = Math.min(smallest, Math.abs(t));
  });
  const jump = order => { /* the derivative at 1 minus that at -1 */
    let d = 0;
    for (let k = order + 1; k < n; k += 2) {
      let factor = 1;
      for (let i = 0; i < order; i++) factor *= k - i;
      d += 2 * factor * c[k];
    }
    return d;
  };
  const h = 2 / length, h2 = h * h;
  let integral = 0;
  for (let k = 0; k < n; k += 2) integral += 2 * c[k] / (k + 1);
  const sum = (integral - h2 / 24 * jump(1) + 7 * h2 * h2 / 5760 * jump(3) - 31 * h2 * h2 * h2 / 967680 * jump(5)) / h;
  return { sum, error, largest, smallest };
}

/* The rows of a prediction. `move` has {scale: place among data.scales, of: {name of what moves: its factor}}. */
function whatIfModel(data) {
  const evaluate = whatIfProgram(data.program), number = x => x === null ? NaN : x;
  const tables = rows => rows.map(r => r.map(number));
  const factor = (move, name) => move.of[name] ?? 1;

  /* A system with its marked speeds moved. */
  function system(s, move) {
    const table = tables(s.table), alone = tables(s.alone);
    table[1] = table[1].map((speed, i) => speed * factor(move, "speed:" + data.speeds[s.class[i]]));
    alone[1] = [table[1][0]];
    const C = table[0].reduce((sum, p, i) => sum + p * table[1][i], 0), C_j = table[1][0];
    const R_f = s.R_f ?? (table[1].every(x => x === C_j) ? s.p : C / C_j);
    const price = number(s.price) * factor(move, "price"), power = number(s.power) * factor(move, "power");
    /* What a second costs: the price over the time in use, energy, and running cost, which stays. */
    const computing = number(data.purchase.computing), joule = data.purchase.energy_price ?? 0;
    const energy = joule === 0 ? 0 : number(s.power) * joule, moved = joule === 0 ? 0 : power * joule * factor(move, "energy price");
    const running = number(s.rate) - number(s.price) / computing - energy;
    return { ...s, table, alone, C, C_j, R_f, price, power, rate: price / computing + running + moved,
      size: data.by_reference ? R_f * C_j : C };
  }
  function inputs(s, N, move, alone) {
    const facts = alone ? { p: 1, C: s.C_j, C_j: s.C_j, nodes: 1, p_node: 1, p_node_max: 1 } : s;
    return data.inputs.map(i => {
      if (i.kind === "N") return N;
      if (i.kind === "system") return facts[i.name];
      const value = number(i.value) * factor(move, i.kind + ":" + i.name);
      return i.kind === "size" && Number.isInteger(i.value) ? Math.max(1, Math.round(value)) : value;
    });
  }
  function at(s, N, move) {
    const out = evaluate(inputs(s, N, move, false), s.table), T_c = out[1];
    const terms = out.slice(2, 2 + data.terms), T = T_c + terms.reduce((sum, t) => sum + t, 0), W = out[0];
    const sound = isFinite(T) && isFinite(W) && T > 0 && W >= 0;
    const T_alone = data.metric.of_work && data.metric.reading !== "latency" ? NaN
      : evaluate(inputs(s, N, move, true), s.alone)[1];
    const size = data.metric.by_speed ? s.size : s.R_f;
    const row = { system: s.name, p: s.p, C: s.C, N, W: sound ? W : NaN, T: sound ? T : NaN };
    row.E = row.W / (T * s.size);
    row.held = (data.metric.of_work ? row.W : T_alone) / (row.T * size);
    row.read = { work: row.W / size, time: row.T, latency: row.T - T_alone / s.R_f, none: NaN }[data.metric.reading];
    row.concurrency = data.has_concurrency ? out[out.length - 1] : Infinity;
    row.memory = data.has_memory ? out[2 + data.terms] : NaN;
    row.memory_limit = number(s.memory);
    row.price = s.price;
    row.power = s.power;
    row.energy = s.power * row.T;
    row.cost = s.rate * row.T;
    return row;
  }
  const least = Math.max(number(data.least) || 0, 1), most = Math.min(data.most ?? Infinity, 1e18);
  /* The smallest N at which `lack` of a row passes 0: stepped over, then enclosed. A jump over 0 by more than 1 % counts
     where nothing passes. `reached`: where it is above 0 from the least N on, that is it. */
  function smallest(s, move, lack, reached) {
    const f = N => lack(at(s, N, move));
    let low = least, f_low = f(low), jump = NaN, seen = f_low > -1, near = NaN;
    if (Math.abs(f_low) < touches || (reached && f_low > 0)) return least;
    while (low < most) {
      const next = Math.min(most, low * 1.25), f_next = f(next);
      if (isNaN(f_next) && seen) break;
      seen = seen || f_next > -1;
      if (isNaN(near) && f_next > -0.75) near = low;
      if (!isNaN(f_low) && f_low >= 0 !== f_next >= 0) {
        const earlier = evaluate.steps ? between(f, window(f, Math.floor(near), next, s.p), next, reached) : NaN;
        if (!isNaN(earlier)) return earlier;
        const N = enclosed(f, low, f_low, next, f_next), end = Math.max(Math.abs(f(N.low)), Math.abs(f(N.high)));
        if (reached) return N.high;
        if (end <= 0.01) return N.near;
        if (isNaN(jump)) jump = N.high;
      }
      low = next;
      f_low = f_next;
    }
    return jump;
  }
  /* What steps in N hide from wider looks: the first passage at, or between, whole N, where steps mostly are. Of many
     whole N those from the first window on in which one passes, as steps come again after some multiple of p. */
  const touches = 1e-12, wholeMost = 2000;
  function window(f, low, high, p) {
    const length = Math.min(1000, 2 * Math.ceil(p) + 16), first = low;
    if (high - low <= wholeMost) return low;
    while (high - low > length) {
      const middle = Math.floor((low + high) / 2);
      let passes = false;
      for (let k = middle; k < middle + length && !passes; k++) passes = f(k) > -touches || f((k + 1) * (1 - 1e-12)) > -touches;
      if (passes) high = middle; else low = middle;
    }
    return Math.max(first, low - length);
  }
  function between(f, from, to, reached) {
    let f_before = NaN;
    for (let k = Math.max(from, least), left = wholeMost; k <= to && left-- > 0; k = Math.floor(k) + 1) {
      const end = (Math.floor(k) + 1) * (1 - 1e-12), begin = k * (1 + 1e-12), f_at = f(k), f_begin = f(begin), f_end = f(end);
      if (Math.abs(f_at) < touches || (reached && f_at >= 0 && k > from)) return k;
      /* A jump of up to 1 % over the target. */
      for (const [a, b] of [[f_before, f_at], [f_at, f_begin]]) if (a >= 0 !== b >= 0 && Math.max(Math.abs(a), Math.abs(b)) <= 0.01) return k;
      if (f_begin >= 0 !== f_end >= 0 && !isNaN(f_begin) && !isNaN(f_end)) {
        const N = enclosed(f, begin, f_begin, end, f_end);
        if (Math.max(Math.abs(f(N.low)), Math.abs(f(N.high))) <= 0.01) return N.near;
      }
      f_before = f_end;
    }
    return NaN;
  }
  /* The place of a change of sign, by false position, and halves against its slowness. */
  function enclosed(f, low, f_low, high, f_high) {
    const rising = f_high >= 0;
    for (let i = 0, side = 0; i < 200 && high - low > 4e-16 * high; i++) {
      let N = (low * f_high - high * f_low) / (f_high - f_low);
      if (i % 3 === 2 || !(N > low && N < high)) N = (low + high) / 2;
      if (!(N > low && N < high)) break;
      const value = f(N);
      if (Math.abs(value) < 1e-14) return { low: N, high: N, near: N };
      if (value >= 0 === rising) { if (side > 0) f_low /= 2; high = N; f_high = value; side = 1; }
      else { if (side < 0) f_high /= 2; low = N; f_low = value; side = -1; }
    }
    return { low, high, near: high };
  }
  return function rows(move) {
    const size = number(data.N) * factor(move, "N"), solves = data.base !== null || data.target !== null;
    const base = data.base ? at(system(data.base, move), size, move) : null;
    const target = base ? base.held : data.target * factor(move, "target");
    let first = base, before = base;
    return data.scales[move.scale].rows.map(given => {
      const s = system(given, move);
      let N = s.valid ? size : NaN;
      if (solves && s.valid) {
        N = smallest(s, move, row => row.held / target - 1, false);
        if (at(s, isFinite(N) ? N : least, move).concurrency < s.p * (1 - 1e-9))
          N = smallest(s, move, row => Math.min(row.held / target - 1 + 1e-9, row.concurrency / s.p - 1 + 1e-12), true);
      }
      const row = at(s, isFinite(N) ? N : NaN, move);
      if (!solves) row.N = size;
      row.psi = solves && before ? before.read / row.read : NaN;
      row.psi_from_base = solves && first ? first.read / row.read : NaN;
      before = row;
      first = first ?? row;
      return row;
    });
  };
}

/* What of the page's own result differs from what is computed here: a text, or nothing. */
function whatIfDiffers(rows, result) {
  for (const [i, row] of rows.entries())
    for (const key of ["N", "T", "E", "psi", "psi_from_base", "price", "power", "energy", "cost"]) {
      const due = result.rows[i][key] ?? NaN, found = row[key] ?? NaN;
      if (isNaN(due) !== isNaN(found) || Math.abs(found - due) > 1e-9 * Math.abs(due)) return `${key} of ${row.system} is ${due}, and here ${found}`;
    }
  return "";
}

/* What a reader can move: [{key, name, value, unit}], of which those of operations stand apart. */
function whatIfSliders(data, rows) {
  const used = new Set(data.program.blocks[0].columns.filter((_, i) => i % 2 === 1)), list = [];
  const words = { latency: "latency (time of an empty message)", bandwidth: "bandwidth (bytes in a second)", "time per flop": "time per flop" };
  data.inputs.forEach((i, k) => {
    if (!used.has(k) || i.kind === "N" || i.kind === "system" || i.value === 0) return;
    list.push({ key: i.kind + ":" + i.name, name: words[i.name] && i.kind === "factor" ? words[i.name] : i.name, value: i.kind === "factor" ? NaN : i.value, unit: i.unit,
      apart: i.kind === "coefficient", first: i.kind === "factor" });
  });
  const all = [...data.scales.find(s => s.scale === 1).rows, ...(data.base ? [data.base] : [])];
  data.speeds.forEach((name, k) => {
    const s = all.find(x => x.class.includes(k));
    if (s) list.push({ key: "speed:" + name, name: `marked speed of ${name}`, value: s.table[1][s.class.indexOf(k)], unit: "flop/s" });
  });
  if (data.target !== null) list.push({ key: "target", name: data.metric.held, value: data.target, unit: data.metric.unit });
  if (data.N !== null) list.push({ key: "N", name: data.inputs[0].name + (data.base ? ` on ${data.base.name}` : ""), value: data.N, unit: "" });
  if (rows.some(r => r.price > 0)) list.push({ key: "price", name: "price of each system", value: NaN, unit: "" });
  if (rows.some(r => r.power > 0)) list.push({ key: "power", name: "power of each system", value: NaN, unit: "" });
  if (data.purchase.energy_price > 0) list.push({ key: "energy price", name: "price of energy", value: NaN, unit: "" });
  return list.sort((a, b) => (b.first || 0) - (a.first || 0));
}

/* Fills the section. `tools` are the page's own: make() an element, show() a number, draw() a picture. */
function whatIfShow(data, result, tools) {
  const { make, show, draw } = tools, board = document.getElementById("what-if-board");
  const refuse = why => board.replaceChildren(make("p", {}, why));
  const still = data.scales.findIndex(s => s.scale === 1), move = { scale: still, of: {} };
  let rows, before;
  const begin = performance.now();
  try { rows = whatIfModel(data); before = rows(move); } catch (e) { refuse(`This browser cannot compute the formulas: ${e.message}.`); return; }
  const took = performance.now() - begin, differs = whatIfDiffers(before, result);
  if (differs) { refuse(`The formulas as a browser computes them do not give the numbers of this page, so nothing can be moved here: ${differs}.`); return; }
  if (took > 1500) { refuse("A browser takes too long for these formulas. The command isocast predict --set computes with other numbers."); return; }

  const size = data.inputs[0].name, money = result.rows.map(r => r.currency).find(Boolean) ?? "";
  const solves = data.base !== null || data.target !== null;
  const columns = [["N", size, ""], ["T", "T", "s"], ["E", "E", ""], ["psi", "psi", ""], ["psi_from_base", "psi from the first", ""], ["energy", "energy", "W s"], ["cost", "cost", money]]
    .filter(([key]) => before.some(r => isFinite(r[key])));
  const table = make("table", { id: "what-if-rows" }), picture = make("div", { id: "what-if-picture" }), said = make("p", { role: "status" });
  const inputs = [];
  function slider(s, apart) {
    const id = "what-if-" + inputs.length, processes = s.key === "p", steps = processes ? data.scales.length : 0;
    const input = make("input", { type: "range", id, "data-key": s.key, min: processes ? 0 : -1, max: processes ? steps - 1 : 1, step: processes ? 1 : "any", value: processes ? still : 0 });
    const shown = make("output", { for: id });
    /* Within a hundredth of the middle nothing is moved, so that a hand finds it again. */
    const factor = () => processes ? data.scales[input.value].scale : Math.abs(input.value) < 0.01 ? 1 : 10 ** Number(input.value);
    const write = () => {
      const f = factor(), text = `${show(f, "")} times` + (isFinite(s.value) ? `, ${show(s.value * f, s.unit)}` : "");
      shown.textContent = text;
      input.setAttribute("aria-valuetext", text);
    };
    input.addEventListener("input", () => {
      if (processes) move.scale = Number(input.value); else move.of[s.key] = factor();
      write();
      later();
    });
    if (!processes) input.addEventListener("keydown", e => { /* a key moves by a tenth of a decade */
      const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[e.key];
      if (!step) return;
      e.preventDefault();
      input.value = Math.round(10 * input.value + step) / 10;
      input.dispatchEvent(new Event("input"));
    });
    write();
    inputs.push({ input, write, rest: processes ? still : 0 });
    apart.append(make("div", { class: "slider" }, make("label", { for: id }, s.name), shown, input));
  }
  let waiting = 0;
  function later() { if (!waiting) waiting = setTimeout(() => { waiting = 0; compute(); }, 10); }
  function compute() {
    const now = rows(move);
    const head = make("tr", {}, make("th", { scope: "col" }, "system"), ...columns.map(([, name]) => make("th", { scope: "col", class: "n" }, name)));
    const body = now.map((row, i) => make("tr", {}, make("th", { scope: "row" }, row.system), ...columns.map(([key, , unit]) => {
      const old = before[i][key], same = isNaN(old) && isNaN(row[key]) || Math.abs(row[key] - old) <= 1e-9 * Math.abs(old);
      const cell = make("td", { class: "n", "data-key": key, ...(isFinite(row[key]) ? { "data-v": row[key] } : {}) }, isFinite(row[key]) ? show(row[key], unit) : "-");
      if (!same) cell.append(make("br"), make("small", {}, `was ${isFinite(old) ? show(old, unit) : "-"}`));
      return cell;
    })));
    table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
    const [key, name, unit] = columns.find(c => c[0] === (solves ? "N" : "T")) ?? columns[0];
    const line = list => list.map(r => ({ x: r.p, y: r[key], name: r.system }));
    const figure = draw({ title: `${name} over the processes: as computed, and what if`, x: "p, processes", y: name, yUnit: unit, series: [
      { name: "as computed", line: true, points: line(before) }, { name: "what if", line: true, points: line(now) }] });
    picture.replaceChildren(...(figure ? [figure] : []));
    const last = now.length - 1, row = now[last];
    said.textContent = isFinite(row.T) ? `On ${row.system}: ${size} = ${show(row.N, "")}, T = ${show(row.T, "s")}, E = ${show(row.E, "")}.`
      : `On ${row.system} there is no ${size} that holds this.`;
    const full = now.filter(r => r.memory > r.memory_limit).map(r => r.system);
    if (full.length) said.append(` It does not fit into the memory of ${full.join(", ")}.`);
  }
  const list = whatIfSliders(data, before), main = make("div", { class: "sliders" }), more = make("div", { class: "sliders" });
  if (data.scales.length > 1) slider({ key: "p", name: "processes of each system", value: NaN, unit: "" }, main);
  list.filter(s => !s.apart).forEach(s => slider(s, main));
  list.filter(s => s.apart).forEach(s => slider(s, more));
  const reset = make("button", { type: "button", id: "what-if-reset" }, "back to the page's numbers");
  reset.addEventListener("click", () => {
    move.scale = still;
    move.of = {};
    for (const i of inputs) { i.input.value = i.rest; i.write(); }
    compute();
  });
  board.replaceChildren(main, ...(more.children.length ? [make("details", {}, make("summary", {}, `${more.children.length} numbers of single operations`), more)] : []),
    make("p", {}, reset), said, make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "what if, by system" }, table), picture);
  compute();
}
if (typeof module !== "undefined") module.exports = { whatIfProgram, whatIfModel, whatIfDiffers };
