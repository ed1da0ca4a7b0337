/** What the process that holds the model is told. The first message is `load`; each `embed` is answered before the next is sent. */
export type ModelRequest =
  | {
      readonly type: 'load';
      readonly model: string;
      readonly cacheDir: string;
      readonly localModelPath: string;
      readonly remoteHost: string | undefined;
      readonly allowDownload: boolean;
    }
  | { readonly type: 'embed'; readonly texts: readonly string[] };

/** What it answers. */
export type ModelReply =
  /** Its code is in memory; from here on silence means that it waits for someone. */
  | { readonly type: 'started' }
  /** Bytes of the model file so far; `total` is 0 where the host did not say. */
  | { readonly type: 'progress'; readonly loaded: number; readonly total: number }
  | { readonly type: 'loaded'; readonly dimensions: number }
  /** One unit vector after the other, in the order of the texts. */
  | { readonly type: 'vectors'; readonly values: Float32Array }
  | { readonly type: 'failed'; readonly fault: ModelFault };

/** An error as it crosses from one process to another. */
export interface ModelFault {
  readonly name: string;
  readonly message: string;
  /** Of the error or of its cause, such as `ENOTFOUND`. */
  readonly code: string | undefined;
}
