/**
 * What a worker of jest keeps from one file of tests to the next: texts alone, by name. An object that a file has made would keep
 * everything that the file has loaded.
 */
module.exports = {};
