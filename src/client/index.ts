/** What `lore/client` offers: the client, and in Node the memory tool on top of it. A page that imports the client alone bundles that alone. */
export * from './lore-client.ts';
export { MemoryTool, MemoryToolError, type MemoryCommand, type MemoryToolOptions, type MemoryToolStore } from './memory-tool.ts';
