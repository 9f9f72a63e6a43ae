// Address of a record for people (developer-api.md 4.1 `record_url`); the page behind it leads to the console.

/** @param recordId "" for what all addresses of records begin with */
export const recordUrl = (baseUrl: string, recordId: number | string): string => `${baseUrl}/record/${recordId}`
