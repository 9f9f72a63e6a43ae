"""The guide's flow with the client of openapi-python-client."""

import os
import time
from typing import TypeVar

from millrace_client import AuthenticatedClient
from millrace_client.api.apps import apps_create
from millrace_client.api.automations import automations_activate, automations_create
from millrace_client.api.lists_of_records import listings_of_app
from millrace_client.api.records import records_create, records_get, records_update
from millrace_client.api.runs import automation_runs_list_automation, automation_runs_manual_run
from millrace_client.api.webhooks import webhooks_create
from millrace_client.api.workspaces import workspaces_list
from millrace_client.models import (
    App,
    AppCreate,
    AutomationAnswer,
    AutomationCreate,
    AutomationRunAccepted,
    AutomationRunCreate,
    AutomationRunPage,
    AutomationRunStatus,
    CurrentRecordCommentCreateAction,
    FieldInputs,
    FieldReference,
    FilterCondition,
    FilterGroup,
    HookOfApp,
    HookStatus,
    NumberField,
    NumberFieldInput,
    NumberRecordField,
    PageRequest,
    AppRecord,
    RecordInput,
    RecordNotExistsError,
    RecordPage,
    RecordUpdatedTrigger,
    SingleTextFieldInput,
    WebhooksCreateBody,
    WorkspacesListResponse200,
)

client = AuthenticatedClient(base_url=os.environ["MILLRACE_URL"], token=os.environ["MILLRACE_TOKEN"])

A = TypeVar("A")


def done(kind: type[A], answer: object) -> A:
    assert isinstance(answer, kind), answer
    return answer


def weight_of(record: AppRecord) -> float:
    [weight] = [field for field in record.fields if isinstance(field, NumberRecordField)]
    return weight.values[0].value


def fields(values: dict[str, str | float]) -> RecordInput:
    inputs = FieldInputs()
    for name, value in values.items():
        inputs[name] = value
    return RecordInput(fields=inputs)


workspaces = done(WorkspacesListResponse200, workspaces_list.sync(client=client)).workspaces
parcels = AppCreate(
    workspace_id=workspaces[0].workspace_id,
    name="Parcels",
    fields=[
        SingleTextFieldInput.from_dict({"field_type": "single_text", "config": {"label": "Title", "required": True}}),
        NumberFieldInput.from_dict(
            {"field_type": "number", "config": {"label": "Weight", "settings": {"decimals": 1, "unit": "kg"}}}
        ),
    ],
)
app = done(App, apps_create.sync(client=client, body=parcels))
weight_field = done(NumberField, app.fields[1])
assert weight_field.config.settings.unit == "kg"

crate = fields({"title": "Crate", "weight": 411.5})
created = done(AppRecord, records_create.sync(app.app_id, client=client, body=crate, idempotency_key="parcel-1"))
assert weight_of(created) == 411.5
updated = done(
    AppRecord,
    records_update.sync(
        created.record_id, client=client, body=fields({"weight": 412}), if_match=str(created.revision)
    ),
)
assert weight_of(updated) == 412

page = done(RecordPage, listings_of_app.sync(app.app_id, client=client, limit=10))
assert (page.total, page.records[0].record_id) == (1, created.record_id)

hook_body = WebhooksCreateBody.from_dict({"type": "record.update", "url": "https://app.example.com/hooks"})
hook = done(HookOfApp, webhooks_create.sync(app.app_id, client=client, body=hook_body))
assert hook.status == HookStatus.INACTIVE

reference = {"kind": "variable", "source": "field", "field_id": weight_field.field_id, "field_type": "number"}
condition = {
    "subject": reference,
    "operator": "greater_than",
    "value": {"type": "number", "number": ["300"]},
}
comment = {
    "type": "current_record_comment_create",
    "config": {"comment_content": ["Heavy: ", reference]},
}
assert isinstance(FilterCondition.from_dict(condition).subject, FieldReference)
definition = AutomationCreate(
    name="Remark on heavy parcels",
    trigger=RecordUpdatedTrigger.from_dict({"type": "record_updated", "config": {}}),
    filter_=FilterGroup.from_dict({"operator": "and", "rows": [condition]}),
    actions=[CurrentRecordCommentCreateAction.from_dict(comment)],
)
automation = done(
    AutomationAnswer, automations_create.sync(app.app_id, client=client, body=definition)
).automation
assert isinstance(automation.actions[0], CurrentRecordCommentCreateAction)
done(AutomationAnswer, automations_activate.sync(automation.id, client=client))
start = AutomationRunCreate(record_id=created.record_id)
done(AutomationRunAccepted, automation_runs_manual_run.sync(automation.id, client=client, body=start))

until = time.monotonic() + 60
while True:
    runs = automation_runs_list_automation.sync(automation.id, client=client, body=PageRequest())
    found = done(AutomationRunPage, runs).automation_runs
    if found and found[0].status == AutomationRunStatus.COMPLETED:
        break
    assert time.monotonic() < until, found
    time.sleep(0.2)

done(RecordNotExistsError, records_get.sync(999_999_999, client=client))
print("done")
