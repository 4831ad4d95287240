// Dates of HTTP headers.

/** The moment of a date of HTTP, NaN for other text. The form of C's asctime() names no zone and is in GMT (RFC 9110, section 5.6.7). */
export const httpDate = (text: string): number => Date.parse(/ \d{4}$/.test(text.trim()) ? `${text} GMT` : text);
