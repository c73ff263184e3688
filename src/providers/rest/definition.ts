import type {
  AbsenceRule,
  Clearing,
  Equality,
  ExposureWords,
  FileRule,
  VisibilityRule,
} from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { PagingRule } from './paging.js';

/**
 * Everything about one resource type, as data: what its fields are, how they travel, what a change means. It is plain JSON;
 * what no row can say is a hook, named here and kept in a file of its own. Types are named as in `ApiDocument`.
 */
export interface TypeDefinition {
  readonly name: string;
  readonly description: string;
  /** True: made by rules out of a description. */
  readonly derived?: true;
  /** Of a derived one: what rules made of it is held against facts, and walked field by field. */
  readonly proven?: true;
  /** Which of the provider's hosts serves it. Default: the one its settings name. */
  readonly host?: string;
  readonly operations: Operations;
  readonly list?: ListRule;
  /** Member of an answer about one object that holds it, where there is such a member. */
  readonly wrapper?: string;
  /** Member of bodies that holds all that they send, where there is such a member. */
  readonly envelope?: EnvelopeRule;
  /** Its ids are whole numbers on the wire; here they are texts like all others. */
  readonly idType?: 'integer';
  /** Where answers have its id, by a dotted path. Default: `id`. */
  readonly idWire?: string;
  /** Left out: all that its list shows are of this type. */
  readonly tells?: TellingRule;
  /** Field of the object this one lives in. Default: the last parameter of the item's path before its own. */
  readonly parent?: string;
  /** Field that holds the object's id, where no path does: the object is a member, which bodies and a list name. */
  readonly member?: string;
  /** What people declare, by name, in the order they see it. */
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  /** What the platform adds. */
  readonly outputs?: Readonly<Record<string, FieldDefinition>>;
  /** Fields that must be declared. */
  readonly required?: readonly string[];
  /** Fields in every answer, or those that need not be. */
  readonly always?: readonly string[] | { readonly but: readonly string[] };
  /** Fields that together identify an object to people, inside its collection. */
  readonly naturalKey: readonly string[];
  /** Groups of fields the platform refuses twice. */
  readonly unique?: readonly (readonly string[])[];
  /** Groups of fields of which exactly one must be declared. */
  readonly exactlyOne?: readonly (readonly string[])[];
  readonly union?: UnionRule;
  /**
   * One of a fixed set, which nobody makes and nobody ends: `create` changes it, `delete` puts it back, and one whose fields
   * have these values counts as not there.
   */
  readonly untouched?: JsonObject;
  /** How it shows that an object does not exist. Left out: one is never taken to be gone. */
  readonly absence?: AbsenceRule;
  /** Text with `{id}` and fields in braces. Default: the id, or for a type with parents a JSON object of wire names. */
  readonly importId?: string;
  readonly ready?: ReadyRule;
  /** Output with what the platform finds wrong with an object that it takes all the same: texts, or records with a `message`. */
  readonly remarks?: string;
  /** How a file becomes an object: `sources` of a catalogue. */
  readonly file?: FileRule;
  /** Somebody sees something because the object is there: what begins with it, and what ends. */
  readonly presence?: Partial<ExposureWords>;
  /** The platform refuses to end one that others use: a replacement makes the new object first. */
  readonly createFirst?: true;
  /** Names of types in the same place whose objects are written before one of this type, and end after it. */
  readonly follows?: readonly string[];
  /** Secrets, by the names of fields, that are answered when an object is made and never again. */
  readonly shownOnce?: readonly string[];
  readonly hooks?: HookNames;
}

/** Objects of several types lie in one list: these are the ones whose member, by its wire name, is so. */
export interface TellingRule {
  readonly member: string;
  /** The one text it holds; bodies hold it, too. */
  readonly is?: string;
  /** Whether it holds anything at all. */
  readonly there?: boolean;
  /** Texts of others → the name of the type of each: these objects have any other, which people declare. */
  readonly others?: Readonly<Record<string, string>>;
}

/** The same for all bodies, or for those of one call alone. */
export type EnvelopeRule = string | { readonly create?: string; readonly update?: string };

type Call<Method extends string> = `${Method} /${string}`;

/**
 * `POST /v3/apis/{apiId}/documents`: in braces stand fields; the last of an item's path is its id, `{id}` or a field. A path
 * without any, of a type without list, is that of the only object there is; the path's last word is its id.
 */
export interface Operations {
  /** PUT makes the object or takes the place of the one that is there; PATCH of one that is always there. */
  readonly create: Call<'POST' | 'PUT' | 'PATCH'>;
  /** Left out: an object is only shown by its list. */
  readonly read?: Call<'GET'>;
  /** PATCH sends what changes, PUT the whole object. Left out: every change replaces. */
  readonly update?: Call<'PATCH' | 'PUT'>;
  readonly delete?: Call<'DELETE' | 'POST'>;
  /** Query parameter that makes the platform delete an object with whatever is in it; sent where `force:ADDRESS` is allowed. */
  readonly forceDelete?: string;
  /** The same for a change that the platform refuses for the sake of what hangs on the object. */
  readonly forceUpdate?: string;
  /** In place of a delete: the fields that are put back, by `update`, to these values; by PATCH those that were declared. Neither: it is left as it is. */
  readonly reset?: JsonObject;
  /** Members without which no update is taken → the field whose value they have, as read where it does not change; `id`: its id. */
  readonly resent?: Readonly<Record<string, string>>;
  /** Overrides what the method of `update` says: a PUT may take parts, a PATCH may want the whole. */
  readonly body?: 'part' | 'whole';
}

/** How objects are read together. Left out: the object is the only one of its kind in its place. */
export interface ListRule {
  /** One without the parent's parameter holds the objects of all parents, and its items name theirs. */
  readonly get: `/${string}`;
  /** Default: the provider's own way. */
  readonly paging?: PagingRule;
  /** Field of the object above that shows one of the list's items: where that one has not moved, the list need not be read. */
  readonly shownIn?: string;
  /** Field of the object above that names the ids of all of the list's items. */
  readonly idsIn?: string;
  /** Query parameters that narrow a list to a natural key → the field they take. */
  readonly findBy?: Readonly<Record<string, string>>;
}

/** Records that look different by what a field says: `{by: 'strategyType', branches: {key_auth: ['keyAuth']}}`. */
export interface UnionRule {
  readonly by: string;
  /** Fields that belong to one value of `by` alone. */
  readonly branches: Readonly<Record<string, readonly string[]>>;
  /** JSON Schema keywords: what the fields of an object of each kind are beyond what those of all are. */
  readonly kinds?: Readonly<Record<string, JsonObject>>;
}

/** An object is of use only some time after a write: it is read until its field says so. */
export interface ReadyRule {
  readonly field: string;
  readonly done: readonly Json[];
  readonly failed: readonly Json[];
  readonly everyMs: number;
  readonly limitMs: number;
}

/** By name, what the provider's hooks do for this type. */
export interface HookNames {
  /** Values the platform would choose at create for fields the inputs leave out. */
  readonly derive?: string;
  /** Values it may choose for key fields the inputs leave out. */
  readonly alsoNamed?: string;
  /** Reads write-only fields where else the platform shows them, and writes them there for an object that exists. */
  readonly readWriteOnly?: string;
}

/** A field. Everything left out has the ordinary value; what is said here beats what its `kind` says. */
export interface FieldDefinition extends FieldRows {
  /** Name of rows that the provider keeps for fields of many types. */
  readonly kind?: string;
  /** Default: a text. */
  readonly type?: FieldType;
  /** Left out: only its constraints are said. */
  readonly description?: string;
}

/** A number, a text that spells it, or one that stands for it elsewhere. `"80"` and 80 are one value. */
export type NumberOrText = 'number-or-text' | 'integer-or-text';

export type FieldType =
  'string' | 'number' | 'integer' | 'boolean' | NumberOrText | 'any' | ListType | MapType | ChoiceType | RecordType;

export interface ListType {
  readonly list: FieldType;
  /** JSON Schema keywords: what each item is beyond its type. */
  readonly limits?: JsonObject;
}

export interface MapType {
  readonly map: FieldType;
  /** JSON Schema keywords: what each entry is beyond its type. */
  readonly limits?: JsonObject;
}

/** Texts with a meaning each. */
export interface ChoiceType {
  readonly choice: string;
  readonly description: string;
  readonly values: Readonly<Record<string, string>>;
  /** The service may take more of them than its description had when it was read: any other text is a warning, no error. */
  readonly open?: true;
}

/** An object with fixed members. */
export interface RecordType {
  readonly record: string;
  readonly description: string;
  /** A description alone stands for a text that is always there. */
  readonly members: Readonly<Record<string, MemberType | string>>;
  /** Wire names of members that answers alone have: nobody declares them, and nothing sends them back. */
  readonly shown?: readonly string[];
  /** It takes others, too, under the names of the wire. Nobody knows what they hold: they are secrets. */
  readonly open?: true;
  /** Member that says of which kind it is: members of other kinds are not kept when that changes. */
  readonly by?: string;
  /** JSON Schema keywords: what one of each kind that `by` tells is beyond what all are. */
  readonly kinds?: Readonly<Record<string, JsonObject>>;
}

export interface MemberType {
  /** Default: a text. */
  readonly type?: FieldType;
  /** Left out: only its constraints are said. */
  readonly description?: string;
  readonly optional?: boolean;
  /** JSON Schema keywords: what it is beyond its type. */
  readonly limits?: JsonObject;
  /** Its name on the wire, where that does not follow the provider's rule. */
  readonly wire?: string;
  /** Left out: it is one where it is called a credential. */
  readonly secret?: boolean;
  /** Accepted, never answered. */
  readonly writeOnly?: true;
  /** Taken when the object is made: a change replaces it, and updates leave the member out. */
  readonly createOnly?: true;
  /** Of the member that tells the kinds: those that an update takes. From and to any other a change replaces. */
  readonly updatesOnly?: readonly string[];
}

export interface FieldRows {
  /** What people may know it by, and what else it is to the engine; a map of texts can hold an ownership `mark`. */
  readonly role?: 'name' | 'label' | 'revision' | 'creation' | 'mark';
  readonly secret?: boolean;
  readonly deprecated?: string;
  /** A change replaces; `if-declared`: falling silent about it does not. What stands in the path replaces anyway. */
  readonly replaces?: true | 'if-declared';
  /** Taken when an object is made: a body that puts the whole of it in place may not hold it. */
  readonly createOnly?: true;
  /** Accepted, never answered. */
  readonly writeOnly?: boolean;
  /** False: lists don't carry it. */
  readonly inList?: boolean;
  /** Default: maps of texts by key, all else exactly. */
  readonly equality?: Equality;
  /** What to send when the file falls silent. Default: null. */
  readonly clearing?: Clearing;
  /** What `derive` finds for it beats what is declared: where both say something, they must say the same. */
  readonly derivedWins?: true;
  /** A declared null is a value of its own. */
  readonly nullIsValue?: boolean;
  /** Never changes during an object's life. */
  readonly stable?: boolean;
  /** Name of the type whose id it holds. */
  readonly references?: string;
  /** Name of the type as whose object the platform keeps it, in a field of the same name, below this one. */
  readonly keptAs?: string;
  /** Output that moves whenever what is kept there may have changed: then the hook `readWriteOnly` is asked, and else not. */
  readonly movesWith?: string;
  /** The object may be written under the one this field refers to. */
  readonly nests?: boolean;
  /** The platform deletes the object together with the one this field refers to. */
  readonly diesWith?: boolean;
  /** Who sees the object depends on it: the values that show and hide it, or true where it holds who may. */
  readonly exposure?: true | (NonNullable<VisibilityRule['values']> & Omit<VisibilityRule, 'field' | 'values'>);
  /** An output list whose entries end with the object: members that name one to people, the first there counts. */
  readonly losses?: readonly string[];
  /** The least and the most characters of a text, items of a list, entries of a map. */
  readonly size?: readonly [least: number, most: number];
  /** JSON Schema keywords: the platform's limits beyond its size. */
  readonly limits?: JsonObject;
  /** JSON Schema of what a catalogue may say, where that is more than the type. */
  readonly accepts?: JsonObject;
  /** Of a map: beginnings of keys that belong to others. */
  readonly foreignKeys?: readonly string[];
  /** Its name on the wire, where that does not follow the provider's rule; `spec.content`: a member of a record there. */
  readonly wire?: string;
  /** Where answers have it, by its dotted path, when that is not where bodies do; `peers.id`: of each in a list. */
  readonly shown?: string;
  /** Of a field that stands in the path: the member of the body that makes an object which holds it, too. */
  readonly sent?: string;
  /**
   * `id-object`: an id travels as `{"id": …}`; `id-objects`: as the only one of a list of those; `integer`: as a whole number;
   * `text`: bodies take as a text what answers show as a number.
   */
  readonly as?: 'id-object' | 'id-objects' | 'integer' | 'text';
  /** Of a record: its member with all that it has beyond the others, by the names of the wire, where those stand beside them. */
  readonly others?: string;
  /** Of a record: PATCH changes its members one by one, and null takes one off. Left out: what is sent takes its place. */
  readonly patched?: true;
  /** A record laid out differently on the wire: dotted paths, catalogue → wire. What isn't named is dropped. */
  readonly members?: Readonly<Record<string, string>>;
  /** May be null in an answer though it can be declared. */
  readonly nullable?: boolean;
  /** The platform may leave it out of an answer; what that means. */
  readonly absent?: Json;
  /** Of a map: entries, removals counted, that one request may hold. More are sent in several. */
  readonly entriesAtOnce?: number;
}
