/** Names of the ports, from the switch's. */
export const LOCAL_PORTS = {
  rtos: (switchName: string) => `rtos-${switchName}`,
  stor: (switchName: string) => `stor-${switchName}`,
  lnet: (switchName: string) => `lnet-${switchName}`,
} as const;
