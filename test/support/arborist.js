module.exports = globalThis.nodeRequire("@npmcli/arborist");
