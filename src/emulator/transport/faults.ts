// Faults on demand: which request goes wrong, and how.
/** What becomes of a request that a fault strikes. */
export type Effect = {
  /** Whether what was asked for is done, although the answer says something else or never comes. */
  readonly commits: boolean;
  /** Milliseconds that the answer waits. */
  readonly delay: number;
  /** What leaves in place of the answer; `answer` is the answer itself. */
  readonly leaves: 'answer' | 'half the answer' | 'status' | 'page' | 'nothing';
  /** Of a status or a page. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** Which requests a fault applies to: from the `nth` that matches on, so many `times`. */
type Fault = {
  /** Empty for any. */
  readonly method: string;
  /** The path, where `*` stands for any text; empty for any. */
  readonly path: string;
  readonly nth: number;
  readonly times: number;
  readonly effect: Effect;
};

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** The faults that still apply to requests, and how many requests each has seen. */
  list(): readonly (Fault & { readonly seen: number })[];
  /** Counts a request for every fault that it matches. Returns the effect of the first added fault that applies. */
  effectOn(method: string, path: string): Effect | undefined;
}

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
    effectOn: (method, path) => {
      const isMatch = (fault: Fault) =>
        (fault.method === '' || fault.method === method) && matches(fault.path, path);
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
