/** Messages of protocol revision 2026-07-28: each carries its version and client. */
export const REVISION = '2026-07-28';

export const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const modern = (id: number, method: string, params: Readonly<Record<string, unknown>> = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: META },
});
