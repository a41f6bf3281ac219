// Signatures of documents that meshform wrote. Only somebody with the key can create them.

/** The purpose of a signature. A signature for one purpose is invalid for any other purpose. */
export type SignedPurpose = 'journal' | 'base' | 'newest base' | 'rollout' | 'worker lock';

/** Signs texts, and checks signatures. */
export interface Signer {
  /** The signature of `text`, in hexadecimal digits. */
  readonly sign: (purpose: SignedPurpose, text: string) => string;
  /** Whether `signature` was created for this text and this purpose with one of the keys. */
  readonly isSigned: (purpose: SignedPurpose, text: string, signature: string) => boolean;
}
