/** The namespace that belongs to no project. The name is part of the HTTP API. */
export const GLOBAL_NAMESPACE = 'global';
