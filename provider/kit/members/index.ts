export { completed, type FromMembers } from "./complete";
export { MemberLists } from "./lists";
export { type Entries, MEMBERS_KIND, MembersError, referenceTo } from "./reference";
export { PREVIOUS, REFERENCES, rememberLists, withPrevious } from "./telling";
