export type { IntentAddress, IntentArgs, IntentLabels, IntentProtocol } from "./args";
export { checkedIntent, type IntentSubject, type IntentWorkload } from "./check";
export { type Intent, type Intents, intentsSchema } from "./intent";
