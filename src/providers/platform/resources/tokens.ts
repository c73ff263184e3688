export const apiToken = 'platform:index/api:Api';
export const apiDocumentToken = 'platform:index/apiDocument:ApiDocument';
export const apiImplementationToken = 'platform:index/apiImplementation:ApiImplementation';
export const apiProductToken = 'platform:index/apiProduct:ApiProduct';
export const apiProductDocumentToken = 'platform:index/apiProductDocument:ApiProductDocument';
