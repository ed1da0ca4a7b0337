/** The two representations of responses in the specification, and how a request selects one. */
import { z } from 'zod';
import type { LoreRequest } from '../exchange.ts';
import { readQuery } from '../query.ts';

export const RESPONSE_FORMS = ['reference', 'guide'] as const;
type ResponseForm = (typeof RESPONSE_FORMS)[number];
/** Query parameters of every route under /api. */
export const FormQuery = z.strictObject({
  form: z.enum(RESPONSE_FORMS).optional().meta({ description: 'Form of the answer. Default `server.responseForm`, which is `reference`.' }),
});

/** The representation that a request selects with `?form=`, else the configured one. */
export function formOf(req: LoreRequest, configured: ResponseForm): ResponseForm {
  return readQuery(FormQuery, req).form ?? configured;
}
