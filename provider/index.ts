export * from "./address";
export * from "./advertisement";
export * from "./arguments/errors";
export { argumentNames, propertyPath } from "./arguments/validate";
export type { AdoptArgs } from "./rows/adoption";
export * from "./kind";
export * from "./rows/rowset";
export * from "./topology";
export { providerText, TYPE_PREFIX, typeToken } from "./provider-text";
