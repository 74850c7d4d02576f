/** What the provider process loads. Stack programs import `pulumi-ovn`. */
export { provider } from "@pulumi-ovn/provider/runtime";
