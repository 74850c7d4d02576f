export * from "./errors";
export * from "./kind";
export * from "./rows/rowset";
