// Resources that are the same for everybody until a release: the JSON Schema of automations, the declarations of scripts, the guides of
// /docs as they are written and its pages of errors, scopes, limits and hook bodies as text.
import type { Resource } from "@modelcontextprotocol/server"
import { descriptionText } from "../../api/descriptionText.ts"
import { declarations, publishedSchema } from "../../domain/automations/meta/typeCatalogue.ts"
import { once } from "../../platform/primitives/cachedContent.ts"
import { readable } from "../../platform/text/markup.ts"
import { catalogueOf } from "../docs/describedApi.ts"
import { type ShownLimits, tablePages } from "../docs/docsPages.ts"
import { guideSources } from "../docs/guideTexts.ts"
import { html } from "../web/html.ts"

export interface PublishedResource {
  readonly resource: Resource & { readonly mimeType: string }
  readonly text: (limits: ShownLimits) => string
}

const textOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString()

const files: ReadonlyArray<PublishedResource> = [
  {
    text: () => textOf(publishedSchema()),
    resource: {
      uri: "millrace://automation/schema",
      name: "automation-schema",
      title: "Automation schema",
      description: "JSON Schema of an automation: triggers, filters, actions, dynamic values.",
      mimeType: "application/schema+json"
    }
  },
  {
    text: () => textOf(declarations()),
    resource: {
      uri: "millrace://automation/script.d.ts",
      name: "script-environment",
      title: "Script environment",
      description: "What JavaScript in automations finds, as TypeScript declarations: names, http, api, libraries.",
      mimeType: "application/typescript"
    }
  }
]

const guides: ReadonlyArray<PublishedResource> = guideSources().map(({ markdown, name }) => {
  const title = markdown.slice(2, markdown.indexOf("\n"))
  return {
    text: () => markdown,
    resource: {
      uri: `millrace://docs/guides/${name}`,
      name: `guide-${name}`,
      title,
      description: `A guide: ${title}.`,
      mimeType: "text/markdown"
    }
  }
})

const catalogue = once(() => catalogueOf(JSON.parse(descriptionText())))

/** Cells and terms stand apart in a text as they do on the page. */
const pageText = (markup: string) =>
  readable(markup.replaceAll(/<\/t([dh])><t\1/g, "</t$1> | <t$1").replaceAll("</code><p>", "</code>: <p>"))

const page = (name: string, title: string, description: string): PublishedResource => ({
  text: (limits) => {
    const docsPage = tablePages(catalogue(), limits).find(({ path }) => path === `/docs/${name}`)
    return pageText(html`${docsPage?.body}`.markup)
  },
  resource: { uri: `millrace://docs/${name}`, name: `docs-${name}`, title, description, mimeType: "text/plain" }
})

export const published: ReadonlyArray<PublishedResource> = [
  ...files,
  ...guides,
  page("errors", "Errors", "Every error_code with its status and when it comes, and in which order calls are checked."),
  page("scopes", "Scopes", "What each scope allows, and which operations need it."),
  page("limits", "Limits", "What there is of everything in this installation, and how answers tell of it."),
  page("hook-bodies", "What hooks are sent", "Headers and bodies of webhooks, by type of event.")
]

const byUri = new Map(published.map((one) => [one.resource.uri, one]))

export const publishedAt = (uri: string): PublishedResource | undefined => byUri.get(uri)
