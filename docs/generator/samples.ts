import { announcements } from "./samples/announcements";
import { egress } from "./samples/egress";
import { hosts } from "./samples/hosts";
import { networks } from "./samples/networks";
import type { Sample } from "./samples/sample";

/** Small arguments for each class: the example of its page, and the rows that the page shows. */
export const samples: Readonly<Record<string, Sample>> = { ...networks, ...egress, ...hosts, ...announcements };
