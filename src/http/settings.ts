/** The settings of the server; a subset of `Config['server']`. */
export interface HttpSettings {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Additional names allowed in the Host header. */
  readonly allowedHosts: readonly string[];
  /** Addresses or networks (CIDR) whose x-forwarded-for header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly responseForm: 'reference' | 'guide';
  /** Largest JSON body, and largest line of an import. */
  readonly bodyLimitBytes: number;
  /** Limit of all JSON bodies in memory together, bytes. */
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

interface RateLimitSettings {
  /** `remote` exempts clients on this machine. */
  readonly enabled: boolean | 'remote';
  readonly requestsPerMinute: number;
  /** Requests in one burst; default `requestsPerMinute`. */
  readonly burstSize?: number | undefined;
}
