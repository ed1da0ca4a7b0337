/** Messages to the model process. The first is `load`; each `embed` is answered before the next is sent. */
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

/** Messages from the model process. */
export type ModelReply =
  /** The library is loaded. From now on silence means waiting for the host. */
  | { readonly type: 'started' }
  /** Bytes of the model file so far; `total` is 0 if the host did not send it. */
  | { readonly type: 'progress'; readonly loaded: number; readonly total: number }
  | { readonly type: 'loaded'; readonly dimensions: number }
  /** The unit vectors, concatenated in the order of the texts. */
  | { readonly type: 'vectors'; readonly values: Float32Array }
  | { readonly type: 'failed'; readonly fault: ModelFault };

/** An error in serializable form. */
export interface ModelFault {
  readonly name: string;
  readonly message: string;
  /** Code of the error or its cause, such as `ENOTFOUND`. */
  readonly code: string | undefined;
}
