import { lazily } from "../../kit/memo/lazily";

/** Every kind of resource that consists of entries in rows of others, which it finds by looking, by name. */
export const exposureKinds = lazily({
  BgpExposure: () => (require("./kind") as typeof import("./kind")).bgpExposure,
});
