// Injected faults: which request fails, and how.
/** The effect of a fault on a request. */
export type Effect = {
  /** Whether the request is executed, even if the response is an error or is missing. */
  readonly commits: boolean;
  /** The delay of the response, in milliseconds. */
  readonly delay: number;
  /** What is sent instead of the response; `answer` is the response itself. */
  readonly leaves: 'answer' | 'half the answer' | 'status' | 'page' | 'nothing' | 'silence';
  /** The status, if `leaves` is a status or a page. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** The requests to which a fault applies: `times` matching requests, from the `nth` on. */
type Fault = {
  /** Empty for any method. */
  readonly method: string;
  /** The path, where `*` matches any text; empty for any. */
  readonly path: string;
  /** The account that the request names with `?account=`; empty for any request. */
  readonly account: string;
  readonly nth: number;
  readonly times: number;
  readonly effect: Effect;
};

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** The pending faults, each with the number of requests that it has matched. */
  list(): readonly (Fault & { readonly seen: number })[];
  /** Counts a request for every fault that it matches, and returns the effect of the first added fault that applies. */
  effectOn(request: Faulted): Effect | undefined;
}

/** The parts of a request that determine its faults. */
interface Faulted {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A list of faults, empty at first. */
export function newFaults(): Faults {
  let faults: (Fault & { readonly seen: number })[] = [];
  return {
    add: fault => {
      faults.push({ ...fault, seen: 0 });
    },
    clear: () => {
      faults = [];
    },
    list: () => faults,
    effectOn: ({ method, path, query }) => {
      const isMatch = (fault: Fault) =>
        (fault.method === '' || fault.method === method) &&
        (fault.account === '' || fault.account === query.get('account')) &&
        matches(fault.path, path);
      const matching = faults.filter(isMatch);
      const [applied] = matching.filter(({ nth, seen }) => seen + 1 >= nth);
      faults = faults
        .map(fault => (matching.includes(fault) ? { ...fault, seen: fault.seen + 1 } : fault))
        .filter(({ nth, times, seen }) => seen < nth + times - 1);
      return applied?.effect;
    },
  };
}

function matches(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(path);
}
