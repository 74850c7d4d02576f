/** Databases that rows are written to. */
export type DatabaseName = "OVN_Northbound" | "OVN_Southbound" | "Open_vSwitch";
