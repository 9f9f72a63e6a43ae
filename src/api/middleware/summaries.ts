// Annotates endpoints and groups with names and descriptions for people: the API description, the reference and generated clients show
// them.
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"

/** @param summary a few plain words @param description its rule in a sentence or two */
export const withSummary =
  (summary: string, description: string) =>
  <E>(endpoint: E): E =>
    (endpoint as unknown as HttpApiEndpoint.Top)
      .annotate(OpenApi.Summary, summary)
      .annotate(OpenApi.Description, description) as unknown as E

/** @param title the name of a group in the reference @param description what it is about, in a line */
export const groupSummary = (title: string, description: string) => OpenApi.annotations({ title, description })
