/* node what_if_moves.js WHAT_IF.JS PAGE.JSON < MOVES: the rows of a page's formulas after each move, as JSON. */
const { whatIfModel, whatIfOffers, whatIfSuite } = require(process.argv[2]), fs = require("fs");
const data = JSON.parse(fs.readFileSync(process.argv[3], "utf8")), rows = data.suite ? whatIfSuite(data.result) : data.offers ? whatIfOffers(data) : whatIfModel(data).rows;
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(rows)));
