/** An answer as the server sends it: what was asked for, and `success` beside it. */
export type Answered<T> = T & { readonly success?: boolean };

/** What was asked for. */
export function withoutSuccess<T extends object>({ success: _success, ...answer }: Answered<T>): Omit<T, 'success'> {
  return answer;
}
