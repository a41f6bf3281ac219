// Access tests as files write them, and what became of them.

import type { Span } from '../diagnostic.ts';
import type { AccessFlow, AccessMiss } from './planAccess.ts';

/** A selector, and where it is written. */
export interface WrittenSelector {
  readonly text: string;
  readonly at: Span;
}

/** What a test assumes about its sources in place of what is known. */
export interface AssumedFacts {
  readonly version?: string;
  readonly os?: string;
  readonly kernel?: string;
  readonly country?: string;
  readonly city?: string;
  readonly address?: string;
}

/** One `access_tests` entry: `from` with `allow` or `deny`, or `to` with `only_from`. */
export interface AccessTest {
  readonly name: string;
  readonly at: Span;
  readonly from?: WrittenSelector;
  readonly to?: WrittenSelector;
  readonly allow: readonly WrittenSelector[];
  readonly deny: readonly WrittenSelector[];
  readonly onlyFrom: readonly WrittenSelector[];
  readonly facts?: AssumedFacts;
  /** Whether the sources pass every posture check. */
  readonly passesPosture: boolean;
}

/** A line of a test that does not hold. */
export interface FailedLine {
  readonly line: 'allow' | 'deny' | 'only_from';
  readonly selector: string;
  readonly at: Span;
  /** In words, where neither a flow nor a miss says it. */
  readonly message?: string;
  /** The line could not be judged, which counts as failed. */
  readonly unknown?: true;
  /** Flows that must not be. */
  readonly flows: readonly AccessFlow[];
  /** Why flows that must be are missing. */
  readonly misses: readonly AccessMiss[];
}

export interface TestVerdict {
  readonly name: string;
  readonly at: Span;
  /** The lines that fail; a test without any has passed. */
  readonly failures: readonly FailedLine[];
  readonly notes: readonly string[];
}

/** All verdicts of one run. */
export interface TestReport {
  readonly tests: readonly TestVerdict[];
  /** Policies whose loss no test would notice; only where coverage is asked for. */
  readonly uncovered?: readonly string[];
}
