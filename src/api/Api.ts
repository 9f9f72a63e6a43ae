// The sum of all modules' endpoints; OpenAPI is made from it.
import { HttpApi } from "effect/http-api"
import { AccountsApi, WorkspacesApi } from "./accounts/Api.ts"
import { AppPolicyApi, AuditApi, ConnectionsApi } from "./administration/Api.ts"
import { AutomationsApi } from "./automations/Api.ts"
import { AutomationMetaApi } from "./automations/MetaApi.ts"
import { RunsApi } from "./automations/runs/Api.ts"
import { openApi } from "./description/openapi.ts"
import { EventsApi } from "./events/Api.ts"
import { HomeApi } from "./home/Api.ts"
import { JobsApi } from "./jobs/Api.ts"
import { closedBodies } from "./middleware/jsonBody.ts"
import { API } from "./middleware/requestContext.ts"
import { AuthenticationProvidersApi, MailAccountsApi } from "./providers/Api.ts"
import { AppsApi, RecordsApi } from "./records/Api.ts"
import { BatchApi } from "./records/batch/Api.ts"
import { CommentsApi } from "./records/comments/Api.ts"
import { FilesApi } from "./records/files/Api.ts"
import { contentPaths } from "./records/files/contentPaths.ts"
import { ImportsApi } from "./records/imports/Api.ts"
import { ListingsApi } from "./records/listing/Api.ts"
import { ViewsApi } from "./records/views/Api.ts"
import { SearchApi } from "./search/Api.ts"
import { SecretsApi } from "./secrets/Api.ts"
import { UsageApi } from "./usage/Api.ts"
import { WebhooksApi } from "./webhooks/Api.ts"
import { WebhookLogApi } from "./webhooks/log/Api.ts"

// biome-ignore format: one group a line
const Groups = HttpApi.make(API)
  .add(AccountsApi)
  .add(WorkspacesApi)
  .add(AppsApi)
  .add(RecordsApi)
  .add(CommentsApi)
  .add(FilesApi)
  .add(ViewsApi)
  .add(ListingsApi)
  .add(BatchApi)
  .add(ImportsApi)
  .add(WebhooksApi)
  .add(WebhookLogApi)
  .add(AutomationsApi)
  .add(AutomationMetaApi)
  .add(RunsApi)
  .add(JobsApi)
  .add(SecretsApi)
  .add(EventsApi)
  .add(HomeApi)
  .add(SearchApi)
  .add(UsageApi)
  .add(ConnectionsApi)
  .add(AppPolicyApi)
  .add(AuditApi)
  .add(MailAccountsApi)
  .add(AuthenticationProvidersApi)

export class Api extends Groups.annotateMerge(openApi(Groups.groups, contentPaths)).annotate(
  HttpApi.PayloadParseOptions,
  closedBodies
) {}
