// The signatures of a journal. Each signature covers its line, the previous line, and the id of the run, so no line can be
// changed, moved, or taken from another journal.
import type { Signer } from '../../model/signer.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { stableText } from '../../model/text/stableText.ts';

/** The run that a journal belongs to. */
export interface JournalRun {
  /** The account of the plan; null if it could not be identified. */
  readonly account: string | null;
  /** The address of the server. */
  readonly server: string;
  /** A random id, which a resumed run keeps. */
  readonly run: string;
}

/** Signs the lines of a journal in their order, or verifies them. */
export class JournalChain {
  readonly #run: JournalRun;
  readonly #signer: Signer;
  #last: string;

  /** `last` is the signature of the last line; empty before the first line. */
  constructor(run: JournalRun, signer: Signer, last = '') {
    this.#run = run;
    this.#signer = signer;
    this.#last = last;
  }

  /** The address of the server of the run. */
  get server(): string {
    return this.#run.server;
  }

  /** The id of the run. */
  get run(): string {
    return this.#run.run;
  }

  /** A copy of the chain that continues after the same line. */
  copy(): JournalChain {
    return new JournalChain(this.#run, this.#signer, this.#last);
  }

  /** The next line, signed, with a line feed at its end. */
  lineOf(entry: object): string {
    const unsigned = jsonLine(entry).trimEnd();
    this.#last = this.#signer.sign('journal', this.#covered(unsigned));
    return `${unsigned.slice(0, -1)},"hmac":"${this.#last}"}\n`;
  }

  /** Whether `line` is the next line. If it is, the line after it is expected next. */
  isNext(line: string): boolean {
    const [, unsigned, hmac = ''] = SIGNED.exec(line) ?? [];
    if (unsigned === undefined) return false;
    const covered = this.#covered(`${unsigned}}`);
    if (!this.#signer.isSigned('journal', covered, hmac)) return false;
    this.#last = hmac;
    return true;
  }

  #covered(unsigned: string): string {
    const { account, server, run } = this.#run;
    return stableText([account, server, run, this.#last, unsigned]);
  }
}

const SIGNED = /^(.+),"hmac":"([0-9a-f]{64})"\}$/;
