// Signatures of what meshform itself wrote. Only somebody with the key can make them.

/** What a signature is for. A signature for one purpose is worth nothing for another. */
export type SignedPurpose = 'journal' | 'base' | 'newest base' | 'rollout' | 'worker lock';

/** Signs texts, and checks signatures. */
export interface Signer {
  /** The signature of `text`, in hexadecimal digits. */
  readonly sign: (purpose: SignedPurpose, text: string) => string;
  /** Whether `signature` was made for this text and this purpose with one of the keys. */
  readonly isSigned: (purpose: SignedPurpose, text: string, signature: string) => boolean;
}
