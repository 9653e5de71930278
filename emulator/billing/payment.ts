import { Type } from "typebox";
import { nullable, text } from "../bodies/common.ts";
import { OrganizationRequest } from "../bodies/organization.ts";
import { collection } from "../http/collection.ts";
import { environmentOf, organizationOf } from "../http/lookup.ts";
import { act, get, post, type Call, type Route } from "../http/routing.ts";
import { organizationView } from "../organization/routes.ts";
import { notFound } from "../world/errors.ts";
import { uuidOf } from "../world/uuid.ts";
import { invoicesOf } from "./costs.ts";

const path = "/organization/{organizationId}";

const CreditCardRequest = Type.Object({
  number: Type.String({ minLength: 4 }),
  cvv: Type.String(),
  expiry_month: Type.Integer({ minimum: 1, maximum: 12 }),
  expiry_year: Type.Integer(),
  token: Type.Optional(nullable(Type.String())),
});

const expiration = { report_expiration_in_seconds: Type.Integer({ minimum: 1 }) };

/** Payment of an organization: its plan, cards, codes and downloads. Nothing is charged. */
export const paymentRoutes: Route[] = [
  ...collection({
    path: `${path}/creditCard`,
    id: "creditCardId",
    parentOf: organizationOf,
    table: (store) => store.creditCards,
    body: CreditCardRequest,
    // The number and the code are not kept.
    admit: ({ number, expiry_month, expiry_year }) => ({
      name: `${number.slice(-4)} ${expiry_month}/${expiry_year}`,
      spec: { expiry_month, expiry_year, last_digit: number.slice(-4), brand: "visa" },
    }),
    view: ({ id, created_at, spec }, { clock }) => {
      const { expiry_year: year, expiry_month: month } = spec as Record<string, number>;
      return { id, created_at, ...spec, is_expired: Date.UTC(year ?? 0, month ?? 0) <= clock.now() };
    },
    without: ["GET", "PUT"],
  }),
  post(`${path}/creditCode`, 204, Type.Object({ code: text }), (call) => {
    organizationOf(call);
  }),
  post(`${path}/changePlan`, 200, Type.Object({ plan: OrganizationRequest.properties.plan }), (call) => {
    const { world, body } = call;
    const organization = organizationOf(call);
    const spec = { ...organization.spec, plan: body.plan };
    return organizationView(world.update(world.store.organizations, organization, { spec }));
  }),
  get(`${path}/billingStatus`, (call) => ({ is_valid: Boolean(organizationOf(call).billing), message: "" })),
  get(`${path}/billingExternalId`, (call) => ({ id: uuidOf(`billing ${organizationOf(call).id}`) })),
  get(`${path}/invoice/{invoiceId}`, invoiceOf),
  get(`${path}/invoice/{invoiceId}/download`, (call) => ({
    url: fileAt(`invoices/${invoiceOf(call).id}.pdf`),
  })),
  act(`${path}/downloadInvoices`, 204, (call) => {
    organizationOf(call);
  }),
  post(`${path}/billingUsageReport`, 201, Type.Object({ from: date(), to: date(), ...expiration }), (call) =>
    reportOf(organizationOf(call).id),
  ),
  post(
    "/environment/{environmentId}/deploymentBuildUsageReport",
    201,
    Type.Object({ execution_id: Type.String(), ...expiration }),
    (call) => reportOf(environmentOf(call).id),
  ),
];

function date() {
  return Type.String({ format: "date-time" });
}

function invoiceOf(call: Call) {
  const id = call.param("invoiceId");
  const invoice = invoicesOf(organizationOf(call), call.world).find((each) => each.id === id);
  if (!invoice) throw notFound("invoice", id);
  return invoice;
}

function reportOf(id: string): object {
  const report = fileAt(`reports/${id}`);
  return { report_url: report, delete_report_url: `${report}/delete` };
}

/** An address under which there is nothing. */
function fileAt(name: string): string {
  return `https://files.acme.invalid/${name}`;
}
