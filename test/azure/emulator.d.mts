export interface Emulator {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}
export interface ContainerRequest {
  readonly method: string;
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
}
export function startEmulator(folder?: string, options?: { readonly onRequest?: (line: string) => void }): Promise<Emulator>;
export function optionsAt(port: number): Readonly<Record<string, string>>;
export function askContainer(port: number, request: ContainerRequest): Promise<string>;
