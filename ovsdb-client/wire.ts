/** JSON forms of RFC 7047 section 5.1, as they stand on the wire. */

/** Integers that a double cannot hold exactly are bigint. */
export type WireScalar = string | number | bigint | boolean;
export type WireUuid = readonly ["uuid" | "named-uuid", string];
export type WireAtom = WireScalar | WireUuid;
export type WireSet = readonly ["set", readonly WireAtom[]];
export type WireMap = readonly ["map", readonly (readonly [WireAtom, WireAtom])[]];
export type WireValue = WireAtom | WireSet | WireMap;
export type WireRow = Readonly<Record<string, WireValue>>;

export type ConditionFunction = "<" | "<=" | "==" | "!=" | ">=" | ">" | "includes" | "excludes";
export type Condition = readonly [column: string, function_: ConditionFunction, value: WireValue];
/** A monitor's condition may also be a constant. */
export type MonitorCondition = Condition | boolean;
export type Mutator = "+=" | "-=" | "*=" | "/=" | "%=" | "insert" | "delete";
export type Mutation = readonly [column: string, mutator: Mutator, value: WireValue];
