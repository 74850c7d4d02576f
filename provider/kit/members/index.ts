export { completed, type FromMembers } from "./complete";
export { MemberLists } from "./lists";
export { type Entries, MEMBERS_KIND, MembersError, referenceTo } from "./reference";
export { FORMERLY, REFERENCES, tell, told } from "./telling";
