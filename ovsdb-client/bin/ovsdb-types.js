#!/usr/bin/env node
const { main } = require("../dist/codegen/command.js");

void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
