export * from "./address";
export * from "./errors";
export * from "./kind";
export * from "./rows/rowset";
export * from "./topology";
