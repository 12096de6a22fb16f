/* node what_if_moves.js WHAT_IF.JS PAGE.JSON < MOVES: the rows of a page's formulas after each move, as JSON. */
const { whatIfModel } = require(process.argv[2]), fs = require("fs");
const rows = whatIfModel(JSON.parse(fs.readFileSync(process.argv[3], "utf8")));
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(rows)));
