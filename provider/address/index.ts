export * from "./derive";
export * from "./ip";
export * from "./mac";
export * from "./names";
export * from "./overlap";
export * from "./prefix";
export * from "./transit-subnet";
export * from "./tunnel-keys";
