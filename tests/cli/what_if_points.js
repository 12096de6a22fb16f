/* node what_if_points.js WHAT_IF.JS < LINES: compares the evaluator of pages with what what_if_points.c wrote. */
const { whatIfProgram } = require(process.argv[2]);
const [head, ...points] = require("fs").readFileSync(0, "utf8").trim().split("\n").map(line => JSON.parse(line));
const evaluate = whatIfProgram(head.program), table = head.table.map(row => row.map(Number));
/* Every instruction of the command is known. */
head.program.opcodes.forEach((_, k) => whatIfProgram({ opcodes: head.program.opcodes, outputs: [],
  blocks: [{ registers: 1, result: 0, constants: [], imports: [], columns: [], code: [k, 0, 0, 0, 0, 0] }] }));
let values = 0, estimated = 0, given_up = 0, worst = 0, where = "";
for (const point of points) {
  if (point.estimated) { estimated++; continue; }
  const found = evaluate(point.in.map(Number), table);
  point.out.map(Number).forEach((due, o) => {
    values++;
    if (isNaN(found[o]) && !isNaN(due)) { given_up++; return; }
    const off = Object.is(found[o], due) || found[o] === due ? 0 : Math.abs(found[o] - due) / Math.abs(due);
    if (!(off <= worst)) { worst = isNaN(off) ? Infinity : off; where = `output ${o} at N = ${point.in[0]}: ${found[o]}, not ${due}`; }
  });
}
console.log(JSON.stringify({ points: points.length, values, estimated, given_up, worst: String(worst), where }));
