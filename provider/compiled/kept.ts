import { keepCompiledByKind } from ".";

// Imported before anything else, or preloaded (`--require`) into the processes that Pulumi starts, which covers Pulumi's own modules, too.
keepCompiledByKind(__filename);
