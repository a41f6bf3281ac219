// The key for fingerprints of secrets, and for the marks of web addresses in a plan.

/** The environment variable that contains the key. */
export const FINGERPRINT_KEY = 'MESHFORM_FINGERPRINT_KEY';
