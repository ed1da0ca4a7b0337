/** The package entry `lore/client`: the client and the memory tool. A bundle contains only what a page imports. */
export * from './lore-client.ts';
export { MemoryTool, MemoryToolError, type MemoryCommand, type MemoryToolOptions, type MemoryToolStore } from './memory-tool.ts';
