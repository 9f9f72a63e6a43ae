// Answers of records from their JSON texts (domain/records/reading/recordText.ts), as the schemas of the endpoints describe them. Nothing
// encodes them again: what the service has put together has the shape of its schema (test/domain/records/reading/recordTexts.test.ts).
import { HttpServerResponse } from "effect/http"
import type { RecordPage } from "../../domain/records/listing/Listings.ts"

/** A JSON text as an answer. */
export const jsonText = (text: string) => HttpServerResponse.text(text, { contentType: "application/json" })

export const listText = (texts: ReadonlyArray<string>) => `[${texts.join(",")}]`

export const pageAnswer = ({ cursor, records, total }: RecordPage) =>
  jsonText(`{"total":${total},"cursor":${JSON.stringify(cursor)},"records":${listText(records)}}`)
