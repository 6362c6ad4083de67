DROP TABLE correction, change, visit, person;
