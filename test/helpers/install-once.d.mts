export function installOnce(folder: string): Promise<void>;
