import { sendJson } from '../responses/json-response.ts';
import { bindResource, type App } from '../resource.ts';

/** GET /openapi.json: the OpenAPI document. Built on the first request, for a faster start. */
export function bindDocument(app: App, version: string): void {
  let document: object | undefined;
  bindResource(app, '/openapi.json', {
    GET: async (req, res) => {
      if (!document) {
        const { openapiDocument } = await import('../openapi/document.ts');
        document = openapiDocument(version);
      }
      sendJson(req, res, 200, document);
    },
  });
}
