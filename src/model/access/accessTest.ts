// Access tests as written in files, and their results.

import type { Span } from '../diagnostic.ts';
import type { AccessFlow, AccessMiss } from './planAccess.ts';

/** A selector, and its place in the file. */
export interface WrittenSelector {
  readonly text: string;
  readonly at: Span;
}

/** What a test assumes about its sources. */
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
  /** Routes and network resources that do not lead to the addresses of `deny` and `to`, according to the test. */
  readonly except: readonly WrittenSelector[];
  readonly facts?: AssumedFacts;
  /** Whether the sources pass every posture check. */
  readonly passesPosture: boolean;
  /** The files no longer contain these lines. They still count, because the last apply had them. */
  readonly former?: true;
  /** The other folder of the account that declares the test. */
  readonly folder?: string;
}

/** A test in the form in which files and bases write it. */
export interface WrittenTest {
  readonly name: string;
  readonly from?: string;
  readonly to?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly only_from?: readonly string[];
  readonly except?: readonly string[];
  readonly with?: AssumedFacts;
  readonly posture?: 'pass';
}

/** A failed line of a test. */
export interface FailedLine {
  readonly line: 'allow' | 'deny' | 'only_from';
  readonly selector: string;
  readonly at: Span;
  /** The reason in words, if neither a flow nor a miss explains the failure. */
  readonly message?: string;
  /** The line could not be evaluated, which counts as failed. */
  readonly unknown?: true;
  /** Flows that must not exist. */
  readonly flows: readonly AccessFlow[];
  /** Why required flows are missing. */
  readonly misses: readonly AccessMiss[];
}

export interface TestVerdict {
  readonly name: string;
  readonly at: Span;
  /** The failed lines; a test without failed lines has passed. */
  readonly failures: readonly FailedLine[];
  readonly notes: readonly string[];
  /** Groups without a routing machine, which were evaluated as if they had one. Absent if there are none. */
  readonly assumedRouters?: readonly string[];
}

/** All verdicts of one run. */
export interface TestReport {
  readonly tests: readonly TestVerdict[];
  /** Policies whose loss no test would detect; present only if coverage was requested. */
  readonly uncovered?: readonly string[];
}
