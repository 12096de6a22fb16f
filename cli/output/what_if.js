/* What if: the formulas of the page computed again with other numbers. The first part evaluates the flat program that
   model/formula/evaluate.c and sum.c evaluate, the second one looks for N as model/solve does, and the third one shows. */
"use strict";

/* Sums beyond this many terms at one point are given up: their value is NaN. */
const whatIfTermsMost = 400000;

function whatIfProgram(program) {
  const side = (p, dimensions) => { /* grids of processes: model/base/process_grid.c */
    if (!(p > 1)) return 1;
    const root = dimensions === 2 ? Math.sqrt(p) : Math.cbrt(p);
    if (p > 1e12 || p !== Math.floor(p)) return root;
    let s = Math.floor(root + 1e-9 * root);
    while (s > 1 && (p % s !== 0 || (dimensions > 2 && side(p / s, dimensions - 1) < s))) s--;
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
    CEIL: Math.ceil, FLOOR: Math.floor, ROUND: round, BINOMIAL_VOLUME: volume, GRID_ROWS: p => side(p, 2), GRID_LAYERS: p => side(p, 3),
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
    table[1] = table[1].map((speed, i) => speed * factor(move, "speed:" + data.speeds[s.class[i]]) * factor(move, "speed"));
    alone[1] = [table[1][0]];
    const C = table[0].reduce((sum, p, i) => sum + p * table[1][i], 0), C_j = table[1][0];
    const R_f = s.R_f ?? (table[1].every(x => x === C_j) ? s.p : C / C_j);
    const price = number(s.price) * factor(move, "price"), power = number(s.power) * factor(move, "power");
    /* What a second costs: the price over the time in use, energy, and running cost, which stays. */
    const computing = number(data.purchase.lifetime) * number(data.purchase.use), joule = data.purchase.energy_price ?? 0;
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
  function rows(move) {
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
  }
  return { rows, system, at, smallest };
}

function whatIfBetter(a, b) {
  if (isNaN(a.value) || isNaN(b.value)) return !isNaN(a.value) && isNaN(b.value);
  return a.value !== b.value ? a.value < b.value : a.spent !== b.spent ? a.spent < b.spent : a.nodes < b.nodes;
}

/* The best mix of each offer, as model/offers/ finds it among all inside the budget. */
const whatIfMixesMost = 5000;
function whatIfOffers(data) {
  const models = data.offers.map(offer => whatIfModel(offer)), number = x => x === null ? NaN : x, zero = x => x === null ? 0 : x;

  /* model/spec/bill.c, of a class's own amounts as they are moved. */
  function bill(offer, nodes, move, common) {
    const q = offer.purchase, of = (key, x) => number(x) * (move.of[key] ?? 1);
    let count = 0, price = number(q.base_price), power = number(q.base_power), running = zero(q.running_cost);
    offer.classes.forEach((c, i) => {
      if (nodes[i] === 0) return;
      count += nodes[i];
      price += nodes[i] * of("price", c.amounts[0]);
      power += nodes[i] * of("power", c.amounts[1]);
      running += nodes[i] * zero(c.amounts[2]);
    });
    for (const [each, its_price, its_power] of q.steps) {
      price += Math.ceil(count / each) * number(its_price);
      power += Math.ceil(count / each) * number(its_power);
    }
    const energy = q.energy_price === null ? 0 : power * q.energy_price * (common["energy price"] ?? 1), computing = number(q.lifetime) * number(q.use);
    return { nodes: count, price, power, rate: price / computing + running / number(q.use) + energy, whole_life: price + number(q.lifetime) * running + computing * energy };
  }
  function system(offer, nodes, paid) {
    const used = offer.classes.map((c, i) => i).filter(i => nodes[i] > 0), all = used.map(i => offer.classes[i]), each = all.map(c => c.counts[1]);
    const row = (k, key) => all.map(c => c[key][k]);
    return { name: all.map((c, i) => (offer.classes.length > 1 ? c.name + ":" : "") + `${each[i]}x${nodes[used[i]]}`).join("+"), valid: true,
      p: all.reduce((sum, c, i) => sum + nodes[used[i]] * each[i], 0), nodes: paid.nodes, p_node: each[0], p_node_max: Math.max(...each), R_f: null,
      memory: all.some(c => c.shares[0] === null) ? null : Math.min(...row(0, "shares")), price: paid.price, power: paid.power, rate: paid.rate, class: used,
      table: [used.map((i, k) => nodes[i] * each[k]), all.map(c => c.speed), row(0, "shares"), row(1, "shares"), row(2, "shares")],
      alone: [[1], [all[0].speed], [all[0].alone[0]], [all[0].alone[1]], [all[0].alone[2]]] };
  }
  /* move: {common: {name: factor}, offers: [{of: {name: factor}}]}. */
  return function choose(move) {
    const limit = key => data[key] === null ? NaN : data[key] * (move.common[key] ?? 1);
    const N = limit("N"), deadline = limit("deadline"), efficiency = limit("efficiency"), budget = data.budget === null ? Infinity : limit("budget");
    const rows = data.offers.map((offer, k) => {
      const own = move.offers[k], nodes = offer.classes.map(() => 0);
      const inside = () => { const b = bill(offer, nodes, own, move.common); b.spent = data.whole_life ? b.whole_life : b.price; return b.spent <= budget ? b : null; };
      let best = { offer: offer.name, value: NaN }, mixes = 0, i = 0;
      while (i < nodes.length) { /* the next mix: model/offers/mixes.c */
        nodes[i]++;
        const paid = nodes[i] <= offer.classes[i].counts[0] ? inside() : null;
        if (!paid) { nodes[i++] = 0; continue; }
        i = 0;
        if (++mixes > whatIfMixesMost) return { offer: offer.name, value: NaN, many: true };
        const s = models[k].system(system(offer, nodes, paid), { of: { ...own.of, price: 1, power: 1 } });
        const found = data.goal === "problem" ? models[k].smallest(s, own, row => row.held / efficiency - 1, false) : N;
        const row = { offer: offer.name, spent: paid.spent, ...models[k].at(s, found, own), nodes: paid.nodes, price: paid.price, power: paid.power };
        row.cost = paid.rate * row.T;
        row.energy = paid.power * row.T;
        const allowed = isFinite(row.T) && !(row.memory > row.memory_limit) && !(row.concurrency < s.p * (1 - 1e-9)) && !(row.T > deadline) &&
          (data.goal === "problem" || isNaN(efficiency) || row.E >= efficiency);
        row.value = !allowed ? NaN : data.goal === "problem" ? -row.N : { time: row.T, cost: row.cost, energy: row.energy }[data.goal];
        if (whatIfBetter(row, best)) best = row;
      }
      return { ...best, mixes };
    });
    const best = rows.reduce((a, b) => whatIfBetter(b, a) ? b : a);
    return { rows, best: isNaN(best.value) ? null : best.offer };
  };
}

/* What of the page's own result differs from what is computed here: a text, or nothing. */
const whatIfNumbers = ["N", "T", "E", "psi", "psi_from_base", "price", "power", "energy", "cost"];
function whatIfDiffers(rows, result, keys = whatIfNumbers) {
  for (const [i, row] of rows.entries())
    for (const key of keys) {
      const due = result.rows[i][key] ?? NaN, found = row[key] ?? NaN;
      if (isNaN(due) !== isNaN(found) || Math.abs(found - due) > 1e-9 * Math.abs(due)) return `${key} of ${row.offer ?? row.system} is ${due}, and here ${found}`;
    }
  return "";
}

/* The inputs that formulas read, and how factors are called. */
function whatIfUsed(data) {
  const used = new Set(data.program.blocks[0].columns.filter((_, i) => i % 2 === 1));
  return data.inputs.filter((i, k) => used.has(k));
}
const whatIfWords = { latency: "latency (time of an empty message)", bandwidth: "bandwidth (bytes in a second)", "time per flop": "time per flop" };

/* What a reader can move: [{key, name, value, unit}], of which those of operations stand apart. */
function whatIfSliders(data, rows) {
  const list = [];
  whatIfUsed(data).forEach(i => {
    if (i.kind === "N" || i.kind === "system" || i.value === 0) return;
    list.push({ key: i.kind + ":" + i.name, name: i.kind === "factor" ? whatIfWords[i.name] : i.name, value: i.kind === "factor" ? NaN : i.value, unit: i.unit,
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

/* A slider of {key, name, value, unit}: a factor from a tenth to ten, or one of `steps`. moved(factor) hears of it. */
function whatIfSlider(tools, s, moved) {
  const { make, show } = tools, id = "what-if-" + document.querySelectorAll("#what-if-board input").length + "-" + s.key.replace(/[^A-Za-z0-9]/g, "-");
  const place = f => s.steps ? s.steps.indexOf(f) : Math.log10(f);
  const input = make("input", { type: "range", id, "data-key": s.key, min: s.steps ? 0 : -1, max: s.steps ? s.steps.length - 1 : 1, step: s.steps ? 1 : "any" });
  const shown = make("output", { for: id });
  /* Within a hundredth of the middle nothing is moved, so that a hand finds it again. */
  const factor = () => s.steps ? s.steps[input.value] : Math.abs(input.value) < 0.01 ? 1 : 10 ** Number(input.value);
  const write = () => {
    const f = factor(), text = `${Number(f.toPrecision(3))} times` + (isFinite(s.value) ? `, ${show(s.value * f, s.unit)}` : "");
    shown.textContent = text;
    input.setAttribute("aria-valuetext", text);
  };
  input.addEventListener("input", () => { write(); moved(factor()); });
  if (!s.steps) input.addEventListener("keydown", e => { /* a key moves by a tenth of a decade */
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[e.key];
    if (!step) return;
    e.preventDefault();
    input.value = Math.round(10 * input.value + step) / 10;
    input.dispatchEvent(new Event("input"));
  });
  const put = f => { input.value = place(f); write(); };
  put(1);
  return { element: make("div", { class: "slider" }, make("label", { for: id }, s.name), shown, input), put };
}

/* The rows of now, each with what it was; columns are [key, heading, unit]. */
function whatIfTable(tools, table, columns, before, now) {
  const { make, show } = tools, text = (x, unit) => typeof x === "string" ? x : isFinite(x) ? show(x, unit) : "-";
  const cell = (row, old, [key, , unit]) => {
    const x = row[key], was = old[key], number = typeof (x ?? was) !== "string";
    const same = number ? isNaN(was) && isNaN(x) || Math.abs(x - was) <= 1e-9 * Math.abs(was) : x === was;
    const e = make("td", { ...(number ? { class: "n" } : {}), "data-key": key, ...(number && isFinite(x) ? { "data-v": x } : {}) }, text(x ?? "-", unit));
    if (!same) e.append(make("br"), make("small", {}, `was ${text(was ?? "-", unit)}`));
    return e;
  };
  const head = make("tr", {}, ...columns.map(([key, name], i) => make("th", { scope: "col", ...(i > 0 && typeof (before[0][key] ?? "") !== "string" ? { class: "n" } : {}) }, name)));
  const body = now.map((row, i) => make("tr", {}, make("th", { scope: "row" }, row[columns[0][0]]), ...columns.slice(1).map(c => cell(row, before[i], c))));
  table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
}

/* Fills the section. `tools` are the page's own: make() an element, show() a number, draw() a picture. */
function whatIfShow(data, result, tools) {
  const { make } = tools, board = document.getElementById("what-if-board");
  const refuse = why => board.replaceChildren(make("p", {}, why));
  const part = (data.suite ? whatIfSuitePart : data.offers ? whatIfOffersPart : whatIfRowsPart)(data, result, tools);
  const begin = performance.now();
  let before;
  try { before = part.compute(); } catch (e) { refuse(`This browser cannot compute the formulas: ${e.message}.`); return; }
  const took = performance.now() - begin, differs = part.differs(before);
  if (differs) { refuse(`The formulas as a browser computes them do not give the numbers of this page, so nothing can be moved here: ${differs}.`); return; }
  if (took > 1500) { refuse("A browser takes too long for these formulas. The option --set computes with other numbers."); return; }

  const table = make("table", { id: "what-if-rows" }), picture = make("div", { id: "what-if-picture" }), said = make("p", { role: "status" }), moved = make("p", { class: "note" });
  const write = () => {
    const now = part.compute();
    whatIfTable(tools, table, part.columns(before), part.rows(before), part.rows(now));
    const figure = part.picture(before, now);
    picture.replaceChildren(...(figure ? [figure] : []));
    said.textContent = part.sentence(now);
    const list = [...moves].filter(([, f]) => f !== 1).map(([name, f]) => `${name} ${Number(f.toPrecision(3))} times`);
    moved.textContent = list.length ? `Moved: ${list.join(", ")}.` : "Nothing is moved: these are the page's numbers.";
    board.classList.toggle("still", list.length === 0);
  };
  let waiting = 0;
  const later = () => { if (!waiting) waiting = setTimeout(() => { waiting = 0; write(); }, 10); };
  board.replaceChildren();
  /* moved() says of what the slider is, where that is not its name alone. */
  const fill = sliders => {
    for (const [to, s, moved] of sliders) {
      const made = whatIfSlider(tools, s, f => { moves.set((moved(f) ?? "") + s.name, f); later(); });
      to.append(made.element);
      all.push(made);
    }
  };
  const all = [], moves = new Map(), reset = make("button", { type: "button", id: "what-if-reset" }, "back to the page's numbers");
  reset.addEventListener("click", () => { part.reset(); moves.clear(); all.forEach(s => s.put(1)); write(); });
  part.controls(board, fill, before);
  board.append(make("p", {}, reset), moved, said, make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "what if" }, table), picture);
  write();
}

/* Of a prediction: the numbers of its systems. */
function whatIfRowsPart(data, result, { make, show, draw }) {
  const still = data.scales.findIndex(s => s.scale === 1), model = whatIfModel(data), move = { scale: still, of: {} };
  const size = data.inputs[0].name, money = result.rows.map(r => r.currency).find(Boolean) ?? "", solves = data.base !== null || data.target !== null;
  const all = [["N", size, ""], ["T", "T", "s"], ["E", "E", ""], ["psi", "psi", ""], ["psi_from_base", "psi from the first", ""], ["energy", "energy", "J"], ["cost", "cost", money]];
  const columns = before => all.filter(([key]) => before.some(r => isFinite(r[key])));
  return {
    compute: () => model.rows(move),
    differs: before => whatIfDiffers(before, result),
    rows: rows => rows,
    columns: before => [["system", "system"], ...columns(before)],
    reset: () => { move.scale = still; move.of = {}; },
    controls(board, fill, before) {
      const main = make("div", { class: "sliders" }), more = make("div", { class: "sliders" }), list = whatIfSliders(data, before);
      board.append(main);
      if (list.some(s => s.apart)) board.append(make("details", {}, make("summary", {}, `${list.filter(s => s.apart).length} numbers of single operations`), more));
      const steps = data.scales.map(s => s.scale);
      if (steps.length > 1) fill([[main, { key: "p", name: "processes of each system", steps }, f => { move.scale = steps.indexOf(f); }]]);
      fill(list.map(s => [s.apart ? more : main, s, f => { move.of[s.key] = f; }]));
    },
    picture(before, now) {
      const [key, name, unit] = columns(before).find(c => c[0] === (solves ? "N" : "T")) ?? columns(before)[0];
      const points = list => list.map(r => ({ x: r.p, y: r[key], name: r.system }));
      return draw({ title: `${name} over the processes: as computed, and what if`, x: "p, processes", y: name, yUnit: unit, series: [
        { name: "as computed", line: true, points: points(before) }, { name: "what if", line: true, points: points(now) }] });
    },
    sentence(now) {
      const row = now[now.length - 1], full = now.filter(r => r.memory > r.memory_limit).map(r => r.system);
      return (isFinite(row.T) ? `On ${row.system}: ${size} = ${show(row.N, "")}, T = ${show(row.T, "s")}, E = ${show(row.E, "")}.`
        : `On ${row.system} there is no ${size} that holds this.`) + (full.length ? ` It does not fit into the memory of ${full.join(", ")}.` : "");
    } };
}

/* Factors of both, by name. */
function whatIfBoth(a, b) {
  return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map(k => [k, (a[k] ?? 1) * (b[k] ?? 1)]));
}
function whatIfPlace(now, row) {
  return isNaN(row.value) ? "-" : String(1 + now.rows.filter(o => whatIfBetter(o, row)).length);
}
/* Sliders of what all offers share, and those of all or one of them. */
function whatIfControls(make, board, fill, names, shared, common, mine, every, own) {
  const of_all = make("div", { class: "sliders" }), of_one = make("div", { class: "sliders" });
  const select = make("select", { id: "what-if-of" }, make("option", { value: -1 }, "all offers"), ...names.map((name, k) => make("option", { value: k }, name)));
  let place = every;
  board.append(of_all, make("p", {}, make("label", { for: "what-if-of" }, "Move the numbers of "), select), of_one);
  fill(shared.map(s => [of_all, s, f => { common[s.key] = f; }]));
  fill(mine.map(s => [of_one, s, f => { place.of[s.key] = f; return place === every ? "all offers: " : `${names[own.indexOf(place)]}: `; }]));
  select.addEventListener("change", () => {
    place = select.value < 0 ? every : own[select.value];
    for (const input of of_one.querySelectorAll("input")) {
      input.value = Math.log10(place.of[input.dataset.key] ?? 1);
      input.dispatchEvent(new Event("input"));
    }
  });
}

/* Of offers: the best mix of each, and which is the best. */
function whatIfOffersPart(data, result, { make, show }) {
  const choose = whatIfOffers(data), money = result.currency ?? "", size = data.offers[0].inputs[0].name;
  const every = { of: {} }, own = data.offers.map(() => ({ of: {} })), common = {};
  const mine = [{ key: "price", name: "price of a node" }, { key: "power", name: "power of a node" }];
  const named = kind => new Set(data.offers.flatMap(o => whatIfUsed(o).filter(i => i.kind === kind && i.value !== 0).map(i => i.name)));
  for (const name of Object.keys(whatIfWords)) if (named("factor").has(name)) mine.push({ key: "factor:" + name, name: whatIfWords[name] });
  for (const name of named("parameter")) mine.push({ key: "parameter:" + name, name });
  if (data.offers.every(o => o.speeds.length > 0)) mine.push({ key: "speed", name: "marked speed of a processor" });
  const shared = [["budget", "budget", data.budget, money], ["N", size, data.N, ""], ["efficiency", "speed-efficiency", data.efficiency, ""], ["deadline", "deadline", data.deadline, "s"],
    ["energy price", "price of energy", data.offers.find(o => o.purchase.energy_price > 0)?.purchase.energy_price * 3.6e6, money + "/kWh"]].filter(([, , x]) => x > 0);
  const shown = now => now.rows.map(r => ({ system: r.many ? `more than ${whatIfMixesMost} mixes` : "-", ...Object.fromEntries(["price", "N", "T", "E", "cost", "energy"].map(k => [k, NaN])), ...r,
    place: whatIfPlace(now, r) }));
  return {
    compute: () => choose({ common, offers: own.map(o => ({ of: whatIfBoth(every.of, o.of) })) }),
    differs: before => before.best !== result.best ? `the best is ${result.best}, and here ${before.best}` : whatIfDiffers(before.rows.filter(r => r.system), { rows: result.rows.filter(r => r.system) }),
    rows: shown,
    columns: before => [["offer", "offer"], ["system", "mix"], ["place", "place"], ["price", "price", money], ["N", size, ""], ["T", "T", "s"], ["E", "E", ""], ["cost", "cost", money], ["energy", "energy", "J"]]
      .filter(([key]) => ["offer", "system", "place"].includes(key) || before.rows.some(r => isFinite(r[key]))),
    reset: () => { for (const o of [every, ...own]) o.of = {}; for (const k of Object.keys(common)) delete common[k]; },
    controls(board, fill) {
      whatIfControls(make, board, fill, data.offers.map(o => o.name), shared.map(([key, name, value, unit]) => ({ key, name, value, unit })), common, mine, every, own);
    },
    picture: () => null,
    sentence(now) {
      if (now.best === null) return "No offer serves this question.";
      const best = now.rows.find(r => r.offer === now.best), others = now.rows.filter(r => r.offer !== now.best && !isNaN(r.value)).sort((a, b) => a.value - b.value);
      const ratio = others.length ? Math.abs(others[0].value / best.value) : NaN, many = now.rows.filter(r => r.many).map(r => r.offer);
      return `${best.offer} is the best: ${best.system} for ${show(best.price, money)}, T = ${show(best.T, "s")}.` +
        (others.length ? ` ${others[0].offer} comes next, ${show(Math.abs(ratio - 1), "%")} behind.` : "") + (best.offer !== result.best ? ` It was ${result.best}.` : "") +
        (many.length ? ` Too many mixes to look at: ${many.join(", ")}.` : "");
    } };
}
/* Judges offers by a suite again (model/offers/suite.c): weights of applications, and times of their runs as they are moved.
   move: {common: {"weight:APPLICATION": factor}, offers: [{of: {"time:APPLICATION": factor, price: factor}}]}. */
function whatIfSuite(result) {
  const sums = (offer, move, own, of) => result.runs.filter(r => r.offer === offer)
    .reduce((sum, r) => sum + r.weight * (move.common["weight:" + r.application] ?? 1) * of(r, own.of["time:" + r.application] ?? 1), 0);
  const means = (offer, move, own, of) => sums(offer, move, own, of) / sums(offer, move, own, () => 1);
  const still = { common: {}, of: {} }, by = result.ranked_by.split("-")[0];
  return function judge(move) {
    const rows = result.rows.map((row, k) => {
      const own = move.offers[k], price = own.of.price ?? 1, over = result.budget === null ? row.spent * price : 1;
      /* What the mean over the applications has become. */
      const grown = of => means(row.offer, move, own, of) - means(row.offer, still, still, of);
      const SSP = row.SSP * Math.exp(grown((r, time) => Math.log(r.rate / time)));
      const jobs = (m, o) => sums(row.offer, m, o, (r, time) => r.nodes * r.T * time);
      const made = { offer: row.offer, spent: row.spent, nodes: row.nodes, price: row.price * price, SSP,
        SSI: row.SSI === null ? NaN : Math.exp(means(row.offer, move, own, (r, time) => Math.log(r.factor / time))),
        SSP_per_price: SSP / (row.price * price), work_energy: row.work_energy * row.SSP / SSP,
        mixes_per_day: row.mixes_per_day * jobs(still, still) / jobs(move, own) };
      return { ...made, value: row.status === "ok" || row.status === "best" ? -made[by] / over : NaN };
    });
    const best = rows.reduce((a, b) => whatIfBetter(b, a) ? b : a);
    return { rows, best: isNaN(best.value) ? null : best.offer };
  };
}

function whatIfSuitePart(data, result, { make, show }) {
  const judge = whatIfSuite(result), every = { of: {} }, own = result.rows.map(() => ({ of: {} })), common = {}, money = result.currency ?? "";
  const applications = [...new Set(result.runs.map(r => r.application))], by = result.ranked_by.split("-")[0];
  const columns = [["SSI", "SSI", ""], ["SSP", "SSP", "flop/s"], ["SSP_per_price", "SSP/price", "flop/s/" + money], ["work_energy", "energy of work", "J/flop"], ["mixes_per_day", "mixes a day", ""]];
  return {
    compute: () => judge({ common, offers: own.map(o => ({ of: whatIfBoth(every.of, o.of) })) }),
    differs: before => before.best !== result.best ? `the best is ${result.best}, and here ${before.best}`
      : whatIfDiffers(before.rows, result, columns.map(([key]) => key)),
    rows: now => now.rows.map(r => ({ ...r, place: whatIfPlace(now, r) })),
    columns: before => [["offer", "offer"], ["place", "place"], ...columns.filter(([key]) => before.rows.some(r => isFinite(r[key])))],
    reset: () => { for (const o of [every, ...own]) o.of = {}; for (const k of Object.keys(common)) delete common[k]; },
    controls(board, fill) {
      const shared = applications.map(a => ({ key: "weight:" + a, name: "weight of " + a, value: result.runs.find(r => r.application === a).weight, unit: "" }));
      const mine = applications.map(a => ({ key: "time:" + a, name: `time of a run of ${a}` }));
      if (result.budget === null) mine.push({ key: "price", name: "price of its nodes" });
      whatIfControls(make, board, fill, result.rows.map(r => r.offer), shared, common, mine, every, own);
    },
    picture: () => null,
    sentence(now) {
      if (now.best === null) return "No offer serves.";
      const best = now.rows.find(r => r.offer === now.best);
      return `${best.offer} is the best: its ${by} is ${show(best[by], by === "SSP" ? "flop/s" : "")}${result.budget === null ? ", the most for its price" : ""}.` +
        (best.offer !== result.best ? ` It was ${result.best}.` : "") + " Each offer keeps its nodes.";
    } };
}
if (typeof module !== "undefined") module.exports = { whatIfProgram, whatIfModel, whatIfOffers, whatIfSuite, whatIfDiffers };
