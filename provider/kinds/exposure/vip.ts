/** Address of a load balancer's VIP: `192.0.2.1:80`, `[2001:db8::1]:80`, or only an address. (ovn-nb(5), Load_Balancer) */
export function withoutPort(vip: string): string {
  return /^\[(.*)\]:\d+$/.exec(vip)?.[1] ?? /^([\d.]+):\d+$/.exec(vip)?.[1] ?? vip;
}
