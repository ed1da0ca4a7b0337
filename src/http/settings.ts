/** What the server reads of the configuration; `Config['server']` has this shape and more. */
export interface HttpSettings {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Further names that a Host header may carry. */
  readonly allowedHosts: readonly string[];
  /** Addresses or networks (CIDR) whose x-forwarded-for is believed. */
  readonly trustedProxies: readonly string[];
  readonly responseForm: 'reference' | 'guide';
  /** Largest JSON body, and largest line of an import. */
  readonly bodyLimitBytes: number;
  /** JSON bodies that are held at once. */
  readonly bodyMemoryMB: number;
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly maxConnections: number;
  readonly allowUnauthenticated: boolean;
  readonly cors: CorsSettings;
  readonly rateLimit: RateLimitSettings;
}

export interface CorsSettings {
  readonly enabled: boolean;
  readonly origins: readonly string[];
  readonly credentials: boolean;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
}

export interface RateLimitSettings {
  /** `remote` spares clients on this machine. */
  readonly enabled: boolean | 'remote';
  readonly requestsPerMinute: number;
  /** Requests at once; default the same as `requestsPerMinute`. */
  readonly burstSize?: number | undefined;
}
